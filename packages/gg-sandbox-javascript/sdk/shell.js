import { shell as host } from "gg/internal/host";
import { optionalCount, options, text } from "gg/internal/check";

export function shell(command, settings) {
  const call = "shell.shell";
  const { timeoutSecs } = options(call, settings, ["timeoutSecs"]);
  return host.shell(text(call, "command", command), optionalCount(call, "timeoutSecs", timeoutSecs));
}
