abstract class A {
  abstract go(): void;
}
class B extends A {}
class C extends A {
  override go(): void {}
  override stop(): void {}
}
new A();
console.log(B, C);
