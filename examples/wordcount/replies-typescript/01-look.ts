// First: what is there? Names and kinds in one view, and the two files that decide how to count.
import { listDir, type DirEntry } from "gg/files";
import { openFile, openText } from "gg/views";

type Found = [kind: DirEntry["kind"], path: string];

function* walk(folder = ""): Generator<Found> {
  for (const { name, kind } of listDir(folder || undefined)) {
    const path = folder ? `${folder}/${name}` : name;
    yield [kind, path];
    if (kind === "directory") yield* walk(path);
  }
}

openText("tree", [...walk()].map(([kind, path]) => `${kind.padEnd(9)} ${path}`).join("\n"));
openFile(".gitignore");
openFile("letters.txt", { limit: 4 });
