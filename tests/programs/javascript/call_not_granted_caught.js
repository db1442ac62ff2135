import { ApiError } from "gg/core";
import { writeFile } from "gg/files";
import { shell } from "gg/shell";

for (const attempt of [() => shell("ls"), () => writeFile("a.txt", "x"), () => shell("pwd")]) {
  try {
    attempt();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.log(error.operation, error.code, error.message);
  }
}
