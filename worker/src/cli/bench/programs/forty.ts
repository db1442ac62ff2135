// A program of some forty lines, as a model writes one: it reads, counts, and shows what it found.
import { listDir, readTextFile, writeFile, type DirEntry } from "gg/files";
import { openText } from "gg/views";

interface Count {
  word: string;
  times: number;
}

type Sorted<T> = { readonly items: readonly T[]; readonly by: keyof T };

class Tally {
  readonly #counts = new Map<string, number>();

  add(text: string): this {
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
      this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
    }
    return this;
  }

  top(most: number): Sorted<Count> {
    const items = [...this.#counts].map(([word, times]): Count => ({ word, times }));
    items.sort((a, b) => b.times - a.times || (a.word < b.word ? -1 : 1));
    return { items: items.slice(0, most), by: "times" };
  }
}

const isText = ({ name, kind }: DirEntry): boolean => kind === "file" && name.endsWith(".txt");

writeFile("words.txt", "the cat and the dog and the bird");
const tally = new Tally();
for (const { name } of listDir().filter(isText)) {
  tally.add(readTextFile(name));
}
const { items, by } = tally.top(2);
const lines: string[] = items.map(({ word, times }) => `${word.padEnd(8)}${times}`);
openText(`words by ${by}`, lines.join("\n"));
console.log(lines.length satisfies number);
