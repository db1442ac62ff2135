const title = "日本 — unfinished;
console.log(title);
