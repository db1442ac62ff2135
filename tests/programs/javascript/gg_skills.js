import { readSkill } from "gg/skills";

console.log(readSkill("release"));
readSkill("relese");
