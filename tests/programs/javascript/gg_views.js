import * as views from "gg/views";

views.openText("summary", "first");
views.openText("other", "stays");
views.openText("summary", "second: replaces the first");
const window = views.openFile("data/ten.txt", { offset: 2, limit: 3 });
console.log(window.firstLine, window.lastLine);
views.openFile("README.md");
views.openFile("data/dot.txt");
