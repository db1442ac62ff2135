import { readTextFile, writeFile } from "gg/files";
import { finish } from "gg/session";

const open = readTextFile("notes.txt").split("\n").filter((line) => line.startsWith("[ ]"));
writeFile("open.txt", open.join("\n") + "\n");
finish(`${open.length} things are open.`);
