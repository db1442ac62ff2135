import { rerun } from "gg/programs";
import { readSkill } from "gg/skills";

readSkill("Word tools");
rerun(`import { count } from "lib/wordTools";

function outer() {
  return count(null);
}
outer();
`);
