import { readTextFile } from "gg/files";

for (const path of ["README.txt", "src/word.py", "sales.csv", "nothing/at/all.txt", "readme.md"]) {
  try {
    readTextFile(path);
  } catch (error) {
    console.log(error.message);
  }
}
readTextFile("src/wrods.py");
