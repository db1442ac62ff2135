import * as files from "gg/files";

console.log(files.readFile("data/dot.txt"));
console.log(files.readFile("data/photo.png").contents);
files.readTextFile("data/dot.txt");
