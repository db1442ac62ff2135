const words = ["apple", "avocado", "banana", "cherry", "apple"];
console.log(new Set(words), Object.groupBy(words, (word) => word[0]), new Map(words.map((word, i) => [word, i])).size);
const counts = new Map();
for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
console.log([...counts].sort((p, q) => q[1] - p[1] || p[0].localeCompare(q[0])), new Set([1, 2]).union(new Set([2, 3])));
console.log(words.toSorted(), words.with(0, "x").at(-1), words.findLast((w) => w.length > 5), words.flatMap((w) => [w.length]));
console.log([3, 1, 10, 2].sort(), [3, 1, 10, 2].sort((p, q) => p - q), [1, [2, [3]]].flat(Infinity), Array.from("abc", (ch) => ch + ch));
