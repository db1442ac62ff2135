import { rerun } from "gg/programs";
import { readSkill } from "gg/skills";

readSkill("Word tools");
rerun(`
import { count } from "lib/wordTools";
import * as tools from "lib/wordTools";

console.log(count("a b c"), tools.count(""), Object.keys(tools));
`);
