class Point {
  constructor() {
    this.x = 1;
    this.y = { z: { w: { v: 1 } } };
  }
}
const loop = { name: "loop" };
loop.self = loop;
console.log({ a: 1, "b-c": "it's", n: null, u: undefined, f() {}, s: Symbol("q") }, new Point(), loop);
console.log([1, , 3], [], {}, new Map([["k", { a: 1 }]]), new Set([1, "2"]), /a/g, Promise.resolve(1), new Date(0));
console.log("%s is %d and %j %%", "x", 42, { a: 1 }, "extra", -0, 1n, ["nested", ["deep"]], () => 1, class A {});
console.info("info"); console.debug("debug"); console.log();
console.log(Array.from({ length: 120 }, (_, i) => i).length, "multi\nline", ["multi\nline"], Object.create(null));
console.error("to stderr", { a: 1 });
