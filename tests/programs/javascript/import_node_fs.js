import { readFileSync } from "node:fs";

console.log(readFileSync("README.md", "utf8"));
