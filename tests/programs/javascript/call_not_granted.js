import * as files from "gg/files";
import { shell } from "gg/shell";

console.log(files.readTextFile("README.md", { limit: 1 }).trim());
console.log(shell("ls").output);
