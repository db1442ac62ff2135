import { editFile, listDir, readFile, readTextFile, writeFile } from "gg/files";

console.log(writeFile("notes/today.md", "# Today\n\nWrite code.\n"));
editFile("notes/today.md", "code", "tests");
console.log(readTextFile("/work/notes/today.md"));
console.log(readFile("data/ten.txt", { offset: 3, limit: 2 }));
for (const { kind, name } of listDir("data")) console.log(kind, name);
