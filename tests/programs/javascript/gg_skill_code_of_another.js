import { rerun } from "gg/programs";
import { readSkill } from "gg/skills";

readSkill("a");
readSkill("b");
rerun('import { other } from "lib/b";\n');
