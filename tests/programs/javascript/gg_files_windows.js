import * as files from "gg/files";

for (const [offset, limit] of [[1, 1], [9, 5], [10, 1], [11, 1], [undefined, 2], [8, undefined]]) {
  const { contents, firstLine, lastLine, totalLines } = files.readFile("data/ten.txt", { offset, limit });
  console.log(offset, limit, JSON.stringify(contents), firstLine, lastLine, totalLines);
}
console.log(files.readFile("data/empty.txt"));
console.log(JSON.stringify(files.readTextFile("data/crlf.txt", { offset: 2 })));
files.readFile("data/ten.txt", { offset: 0 });
