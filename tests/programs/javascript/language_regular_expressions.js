const log = "2024-05-01 ERROR disk full\n2024-05-02 INFO ok\n2024-05-03 ERROR no net\n";
for (const { groups } of log.matchAll(/^(?<date>[\d-]+) ERROR (?<what>.+)$/gm)) console.log(groups.date, groups.what);
console.log("a-b_c".replace(/[-_](\w)/g, (_, c) => c.toUpperCase()), "x1y22".match(/\d+/g), /(?<=\$)\d+/.exec("cost $42")[0]);
console.log(/^\p{Lu}\p{L}+$/u.test("Łódź"), "a, b;c".split(/[,;]\s*/), /a.c/s.test("a\nc"), "aXbX".replaceAll("X", "-"));
console.log([..."2024-01-02".matchAll(/(\d+)-?/g)].map((match) => match[1]), /(\w)\1/.test("hello"), "tel: 12".search(/\d/));
