function old(target: object, key: string, descriptor: PropertyDescriptor): void {}
class A {
  @old
  method(): void {}
  other(@old parameter: number): void {}
}
console.log(A);
