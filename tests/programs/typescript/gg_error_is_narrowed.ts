import { readTextFile } from "gg/files";
import { ApiError, type ErrorCode } from "gg/core";

function read(path: string): string | ErrorCode {
  try {
    return readTextFile(path);
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}
console.log(read("missing.txt"));
