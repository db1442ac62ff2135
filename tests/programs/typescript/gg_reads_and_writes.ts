import { readTextFile, writeFile, listDir, type DirEntry } from "gg/files";
import { openText } from "gg/views";

interface Row {
  name: string;
  count: number;
}
const rows: Row[] = [{ name: "a", count: 1 }, { name: "b", count: 2 }];
writeFile("rows.json", JSON.stringify(rows));
const back: Row[] = JSON.parse(readTextFile("rows.json"));
const kinds: DirEntry["kind"][] = listDir().map(({ kind }) => kind);
openText("rows", `${back.map((row) => `${row.name}=${row.count}`).join(" ")} ${kinds.join()}`);
