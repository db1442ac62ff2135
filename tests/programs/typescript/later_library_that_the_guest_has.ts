const groups = Object.groupBy([1, 2, 3, 4], (n) => (n % 2 === 0 ? "even" : "odd"));
const union = new Set([1, 2]).union(new Set([2, 3]));
const { promise, resolve } = Promise.withResolvers<number>();
resolve([3, 1, 2].toSorted().at(-1) ?? 0);
console.log(JSON.stringify(groups), [...union].join(), await promise, [1, 2].values().map((n) => n * 2).toArray().join());
