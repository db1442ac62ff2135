import { files as host } from "gg/internal/host";
import { optionalCount, optionalText, options, text } from "gg/internal/check";

export function readFile(path, window) {
  const call = "files.readFile";
  const { offset, limit } = options(call, window, ["offset", "limit"]);
  return host.readFile(text(call, "path", path), optionalCount(call, "offset", offset), optionalCount(call, "limit", limit));
}

export function readTextFile(path, window) {
  const call = "files.readTextFile";
  const { offset, limit } = options(call, window, ["offset", "limit"]);
  return host.readTextFile(text(call, "path", path), optionalCount(call, "offset", offset), optionalCount(call, "limit", limit));
}

export function writeFile(path, contents) {
  const call = "files.writeFile";
  return host.writeFile(text(call, "path", path), text(call, "contents", contents));
}

export function editFile(path, old, replacement) {
  const call = "files.editFile";
  host.editFile(text(call, "path", path), text(call, "old", old), text(call, "replacement", replacement));
}

export function listDir(path) {
  return host.listDir(optionalText("files.listDir", "path", path));
}

export function search(query, where) {
  const call = "files.search";
  const { path, limit } = options(call, where, ["path", "limit"]);
  return host.search(text(call, "query", query), optionalText(call, "path", path), optionalCount(call, "limit", limit));
}
