import * as memories from "gg/memories";
import * as programs from "gg/programs";
import { finish } from "gg/session";
import { readSkill } from "gg/skills";
import * as tasks from "gg/tasks";
import * as views from "gg/views";

programs.rerun("console.log('never')");
finish("never");
readSkill("release");
tasks.addTask({ id: "kept", title: "Stands" });
memories.writeMemory({ name: "kept", description: "Stands", body: "x" });
views.openText("kept", "stands");
throw new RangeError("too bad");
