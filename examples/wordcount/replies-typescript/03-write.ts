// `match` gives null for a file without a word: `poems/naught.txt` is empty, but it does have a count. The two forms of
// "café" in the poem also have to become one, so normalise before counting.
import { listDir, readTextFile, writeFile } from "gg/files";
import { openFile } from "gg/views";

interface Report {
  files: Record<string, number>;
  words: number;
  distinct: number;
  top: [word: string, times: number][];
}

const word = /\p{L}+(?:['’-]\p{L}+)*/gu;
const wordsOf = (path: string): string[] => readTextFile(path).normalize("NFC").toLowerCase().match(word) ?? [];

function* textFiles(folder?: string): Generator<string> {
  for (const { name, kind } of listDir(folder)) {
    const path = folder ? `${folder}/${name}` : name;
    if (kind === "directory" && path !== "drafts") yield* textFiles(path);
    else if (path.endsWith(".txt") && !path.endsWith(".bak.txt")) yield path;
  }
}

function codePoints(a: string, b: string): number {
  const [x, y] = [[...a], [...b]];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    if (x[i] !== y[i]) return x[i].codePointAt(0)! - y[i].codePointAt(0)!;
  }
  return x.length - y.length;
}

const files: Report["files"] = {};
const total = new Map<string, number>();
for (const path of [...textFiles()].sort(codePoints)) {
  const found = wordsOf(path);
  files[path] = found.length;
  for (const one of found) total.set(one, (total.get(one) ?? 0) + 1);
}
const report: Report = {
  files,
  words: Object.values(files).reduce((a, b) => a + b, 0),
  distinct: total.size,
  top: [...total].sort(([a, m], [b, n]) => n - m || codePoints(a, b)).slice(0, 10),
};
writeFile("counts.json", JSON.stringify(report, null, 2) + "\n");
openFile("counts.json");
