import { readTextFile, writeFile } from "gg/files";
import { finish } from "gg/session";

const isOpen = (line: string): boolean => line.startsWith("[ ]");
const open: string[] = readTextFile("notes.txt").split("\n").filter(isOpen);
writeFile("open.txt", open.join("\n") + "\n");
finish(`${open.length} things are open.`);
