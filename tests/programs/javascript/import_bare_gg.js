import { files } from "gg";

console.log(files.readTextFile("README.md"));
