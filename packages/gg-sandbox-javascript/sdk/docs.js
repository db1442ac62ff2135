import { docs as host } from "gg/internal/host";
import { optionalChoice, optionalCount, optionalText, options, text } from "gg/internal/check";

const KINDS = ["operation", "type", "module", "alias"];

export function search(query, filter) {
  const call = "docs.search";
  const given = options(call, filter, ["module", "type", "kind", "offset", "limit"]);
  return host.search({
    query: query === undefined ? "" : text(call, "query", query),
    module: optionalText(call, "module", given.module),
    type: optionalText(call, "type", given.type),
    kind: optionalChoice(call, "kind", given.kind, KINDS),
    offset: optionalCount(call, "offset", given.offset),
    limit: optionalCount(call, "limit", given.limit),
  });
}

export function close(key) {
  return host.close(text("docs.close", "key", key));
}

export function closeAll() {
  return host.closeAll();
}
