import { context as host } from "gg/internal/host";
import { count, optionalText, record, text, texts } from "gg/internal/check";

export function evictFileView(path) {
  return host.evictFileView(optionalText("context.evictFileView", "path", path));
}

export function archiveThread(ranges) {
  const call = "context.archiveThread";
  if (!Array.isArray(ranges)) {
    throw new TypeError(`${call}: ranges must be an array of { first, last }`);
  }
  return host.archiveThread(
    ranges.map((range, index) => {
      const { first, last } = record(call, `ranges[${index}]`, range, ["first", "last"]);
      return { first: count(call, `ranges[${index}].first`, first), last: count(call, `ranges[${index}].last`, last) };
    }),
  );
}

export function searchArchive(query) {
  return host.searchArchive(text("context.searchArchive", "query", query));
}

export function compact(summary, files = []) {
  const call = "context.compact";
  host.compact(text(call, "summary", summary), texts(call, "files", files));
}
