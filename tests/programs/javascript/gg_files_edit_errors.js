import { editFile } from "gg/files";

for (const [path, old] of [
  ["data/settings.ini", "value = 3"],
  ["data/settings.ini", "value = 1"],
  ["data/settings.ini", "value  =  1"],
  ["data/settings.ini", ""],
  ["data/crlf.txt", "first\nsecond"],
  ["data/setings.ini", "value"],
]) {
  try {
    editFile(path, old, "x");
  } catch (error) {
    console.log(`${error.code}: ${error.message}`);
  }
}
editFile("data/settings.ini", "value", "key");
