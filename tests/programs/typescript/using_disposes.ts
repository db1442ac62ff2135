class Held implements Disposable {
  constructor(readonly name: string) {
    console.log(`take ${name}`);
  }
  [Symbol.dispose](): void {
    console.log(`give ${this.name}`);
  }
}
{
  using a = new Held("a");
  using b = new Held("b");
  console.log(a.name, b.name);
}
await using later = { async [Symbol.asyncDispose]() { console.log("later"); } };
console.log(typeof later);
