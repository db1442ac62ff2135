import { skills as host } from "gg/internal/host";
import { text } from "gg/internal/check";

export function readSkill(name) {
  return host.readSkill(text("skills.readSkill", "name", name));
}
