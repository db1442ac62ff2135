import files from "gg/files";
console.log(files.readTextFile("a.txt"));
