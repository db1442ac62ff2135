console.error("first line of many");
for (let i = 0; i < 10_000; i++) console.warn("something in between", i);
console.error("last line of many");
