import { programs as host } from "gg/internal/host";
import { optionalCount, text } from "gg/internal/check";

export function history() {
  return host.history();
}

export function get(turn) {
  return host.get(optionalCount("programs.get", "turn", turn));
}

export function rerun(source) {
  host.rerun(text("programs.rerun", "source", source));
}
