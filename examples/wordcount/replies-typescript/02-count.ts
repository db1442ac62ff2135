// The draft folder is ignored, so it stays out. Count per file.
import { readTextFile } from "gg/files";
import { openText } from "gg/views";

const paths = ["harbour.txt", "letters.txt", "poems/naught.txt", "poems/tide.txt"];
const word = /\p{L}+(?:['’-]\p{L}+)*/gu;

const longest: Record<string, string> = {};
for (const path of paths) {
  const words = readTextFile(path).toLowerCase().match(word);
  longest[path] = words.reduce((a, b) => (b.length > a.length ? b : a));
}
openText("longest", JSON.stringify(longest, null, 2));
