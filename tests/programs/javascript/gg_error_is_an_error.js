import { ApiError } from "gg/core";
import { readTextFile } from "gg/files";

try {
  readTextFile("missing.txt");
} catch (error) {
  console.log(error instanceof ApiError, error instanceof Error, error.name, error.code, error.operation, Object.keys(error));
}
try {
  readTextFile("missing.txt");
} catch (error) {
  throw new Error("the notes could not be read", { cause: error });
}
