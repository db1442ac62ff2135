import * as files from "gg/files";

const attempts = {
  directory: () => files.readFile("src"),
  outside: () => files.readFile("../../etc/passwd"),
  absolute: () => files.readFile("/etc/passwd"),
  "link outside": () => files.readFile("docs/outside"),
  dangling: () => files.readFile("docs/dangling"),
  "empty path": () => files.readFile(""),
  NUL: () => files.readFile("a\0b"),
  "through a file": () => files.readFile("README.md/x"),
  "not text": () => files.readTextFile("data/latin.txt"),
  "long name": () => files.writeFile("x".repeat(300), ""),
  "write a directory": () => files.writeFile("src", ""),
  "list a file": () => files.listDir("README.md"),
  "list nothing": () => files.listDir("scr"),
  "limit 0": () => files.readFile("README.md", { limit: 0 }),
};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    console.log(name, attempt());
  } catch (error) {
    console.log(`${name}: ${error.code}: ${error.message}`);
  }
}
