import * as files from "gg/files";

files.writeFile("lines.txt", "0123456789\n".repeat(200));
const window = files.readFile("lines.txt");
console.log(window.byteTruncated, window.lastLine, window.contents.length, window.totalLines);
files.readTextFile("lines.txt");
