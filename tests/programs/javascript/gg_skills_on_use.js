import * as programs from "gg/programs";
import * as skills from "gg/skills";

for (const name of ["release", "release", "review", "plain"]) skills.readSkill(name);
programs.rerun(`import { readSkill } from "gg/skills";
console.log(readSkill("release"));
`);
