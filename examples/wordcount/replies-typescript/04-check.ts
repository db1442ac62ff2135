// Check the report another way: walk the letters, and join what an apostrophe or a hyphen held together.
import { readTextFile, search } from "gg/files";
import { finish } from "gg/session";
import { openText } from "gg/views";

const report = JSON.parse(readTextFile("counts.json")) as {
  files: Record<string, number>;
  words: number;
  distinct: number;
  top: [string, number][];
};
const isLetter = (c: string | undefined): boolean => c !== undefined && /\p{L}/u.test(c);

function count(path: string): number {
  const letters = [...readTextFile(path).normalize("NFC")];
  let found = 0;
  let inside = false;
  letters.forEach((letter, at) => {
    const joins = "'’-".includes(letter) && inside && isLetter(letters[at + 1]);
    if (isLetter(letter) && !inside) found += 1;
    inside = isLetter(letter) || joins;
  });
  return found;
}

let sum = 0;
for (const [path, stated] of Object.entries(report.files)) {
  const again = count(path);
  if (again !== stated) throw new Error(`${path} holds ${again} words, and the report says ${stated}`);
  sum += again;
}
if (sum !== report.words) throw new Error(`${sum} words in all, and the report says ${report.words}`);
if (search("draft").some(({ path }) => path.startsWith("drafts/"))) throw new Error("drafts are not ignored");

const [word, times] = report.top[0];
const files = Object.keys(report.files).length;
openText("checked", `${files} files, ${report.words} words`);
finish(
  `counts.json holds ${report.words} words (${report.distinct} different) of ${files} files; ` +
    `the most frequent is “${word}” with ${times}.`,
);
