const seen = [];
const tracked = new Proxy({ a: 1 }, {
  get(target, key, receiver) {
    seen.push(String(key));
    return Reflect.get(target, key, receiver);
  },
  has: (target, key) => key.startsWith("x") || key in target,
});
tracked.a;
console.log(seen, "xyz" in tracked, Reflect.ownKeys({ b: 1, [Symbol("s")]: 2, 1: 3 }), Object.entries({ q: 1 }));
const weak = new WeakMap([[seen, "kept"]]);
console.log(weak.get(seen), Object.getOwnPropertyDescriptor({ get v() { return 1; } }, "v").set, new WeakRef(seen).deref() === seen);
