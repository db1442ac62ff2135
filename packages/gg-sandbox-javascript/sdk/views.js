import { views as host } from "gg/internal/host";
import { optionalCount, options, text } from "gg/internal/check";

export function openFile(path, window) {
  const call = "views.openFile";
  const { offset, limit } = options(call, window, ["offset", "limit"]);
  return host.openFile(text(call, "path", path), optionalCount(call, "offset", offset), optionalCount(call, "limit", limit));
}

export function openText(label, body) {
  const call = "views.openText";
  host.openText(text(call, "label", label), text(call, "body", body));
}

export function openDocsView(name) {
  host.openDocsView(text("views.openDocsView", "name", name));
}

export function close(selector) {
  return host.close(text("views.close", "selector", selector));
}

export function current() {
  return host.current();
}
