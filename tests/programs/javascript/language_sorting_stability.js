const people = [{ n: "Bob", a: 30 }, { n: "ada", a: 25 }, { n: "Cyd", a: 30 }, { n: "Łukasz", a: 25 }];
people.sort((p, q) => q.a - p.a);
console.log(people.map((p) => p.n).join());
const many = Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 100_003).sort((p, q) => p - q);
console.log(many[0], many.at(-1), many.every((n, i) => i === 0 || many[i - 1] <= n));
