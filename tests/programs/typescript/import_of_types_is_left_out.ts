import { ErrorCode, ApiError } from "gg/core";
import { FileContents, DirEntry } from "gg/files";
import type { Usage } from "gg/core";
import * as views from "gg/views";

const code: ErrorCode = "other";
const error = new ApiError("files.read_file", code, "by hand");
const entry: DirEntry | undefined = undefined;
const usage: Usage = { count: 1 };
let contents: FileContents | null = null;
views.openText("made", `${error.name} ${error.code} ${entry} ${usage.count} ${contents}`);
