import * as files from "gg/files";

async function inner() {
  await null;
  return files.readTextFile("nope.txt");
}

async function main() {
  return await inner();
}

await main();
