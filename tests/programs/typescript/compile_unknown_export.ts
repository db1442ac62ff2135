import { readFileSync } from "gg/files";
console.log(readFileSync("a.txt"));
