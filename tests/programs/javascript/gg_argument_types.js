import * as docs from "gg/docs";
import * as files from "gg/files";
import * as session from "gg/session";

const attempts = [
  () => files.readFile(3),
  () => files.readFile("a", { offset: "1" }),
  () => files.readFile("a", { offset: -1 }),
  () => files.readFile("a", { ofset: 3 }),
  () => files.readFile("a", 3),
  () => files.writeFile("a", new Uint8Array(3)),
  () => files.writeFile("a", Promise.resolve("text")),
  () => docs.search("x", { kind: "nope" }),
  () => session.requestChanges("abc"),
  () => session.requestChanges([1]),
];
for (const attempt of attempts) {
  try {
    attempt();
  } catch (error) {
    console.log(`${error.name}: ${error.message}`);
  }
}
files.writeFile("a.txt");
