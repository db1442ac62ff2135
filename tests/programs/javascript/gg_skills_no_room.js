import * as programs from "gg/programs";
import * as skills from "gg/skills";

for (const name of ["one", "two", "three", "four"]) console.log(skills.readSkill(name));
try {
  programs.rerun("1");
} catch (error) {
  console.log(error.code, error.message);
}
