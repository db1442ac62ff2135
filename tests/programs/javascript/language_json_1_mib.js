const rows = Array.from({ length: 16_000 }, (_, i) => ({ id: i, name: `näme ${i}`, tags: ["a", "b"], score: i / 7 }));
const text = JSON.stringify(rows);
const back = JSON.parse(text);
console.log(text.length > 900_000, back.length, back[15_999].name, JSON.stringify(back) === text);
console.log(JSON.stringify({ b: [1, 2.5, null, true, undefined], a: "é", c: undefined }, null, 2));
