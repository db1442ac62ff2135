import { readTextFile } from "gg/files";

type Path = `${string}.txt`;
function read(path: Path): string {
  return readTextFile(path);
}
read("missing.txt");
