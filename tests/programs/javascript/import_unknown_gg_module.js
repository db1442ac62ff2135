import { readFile } from "gg/file";

console.log(readFile("README.md"));
