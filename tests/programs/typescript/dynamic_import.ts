const files: typeof import("gg/files") = await import("gg/files");
files.writeFile("a.txt", "x");
console.log(files.readTextFile("a.txt"));
const path: string = "/etc/passwd";
await import(path);
