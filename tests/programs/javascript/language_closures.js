const counters = [];
for (let i = 0; i < 3; i++) counters.push(() => i * 10);
const make = (count = 0) => ({ add: (n = 1) => (count += n), get value() { return count; } });
const counter = make(5);
counter.add();
counter.add(3);
const memo = (f, cache = new Map()) => (n) => cache.get(n) ?? cache.set(n, f(n)).get(n);
const square = memo((n) => n * n);
console.log(counters.map((f) => f()), counter.value, square(4) + square(4), [1, 2, 3].reduce((a, b) => a + b));
