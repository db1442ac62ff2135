import { session as host } from "gg/internal/host";
import { text, texts } from "gg/internal/check";

export function finish(summary) {
  host.finish(text("session.finish", "summary", summary));
}

export function approve(summary) {
  host.approve(text("session.approve", "summary", summary));
}

export function requestChanges(items) {
  host.requestChanges(texts("session.requestChanges", "items", items));
}
