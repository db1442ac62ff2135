abstract class Base<T> {
  declare tag: string;
  protected abstract make(): T;
  value?: T;
  run(): T {
    return (this.value = this.make());
  }
}
class Numbers extends Base<number[]> {
  static #count = 0;
  static {
    Numbers.#count = 1;
  }
  override make(): number[] {
    return [Numbers.#count];
  }
}
function double(x: number): number;
function double(x: string): string;
function double(x: number | string): number | string {
  return typeof x === "number" ? x * 2 : x + x;
}
console.log(new Numbers().run().join(), double(2), double("a"), "tag" in new Numbers());
