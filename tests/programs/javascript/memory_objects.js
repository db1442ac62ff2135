const all = [];
for (;;) all.push({ index: all.length, tags: [all.length] });
