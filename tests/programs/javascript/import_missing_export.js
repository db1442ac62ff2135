import { readfile } from "gg/files";

console.log(readfile("README.md"));
