import * as context from "gg/context";
import * as docs from "gg/docs";
import { readTextFile } from "gg/files";
import * as memories from "gg/memories";
import * as programs from "gg/programs";
import { finish } from "gg/session";
import { readSkill } from "gg/skills";
import * as tasks from "gg/tasks";
import * as views from "gg/views";

const refused = [
  () => readTextFile("README.md"),
  () => views.openFile("README.md"),
  () => tasks.addTask({ id: "t", title: "title" }),
  () => memories.writeMemory({ name: "m", description: "d", body: "b" }),
  () => context.evictFileView(),
  () => context.archiveThread([{ first: 1, last: 1 }]),
  () => context.searchArchive("a"),
  () => readSkill("s"),
];
for (const call of refused) {
  try {
    call();
    console.log("answered");
  } catch (error) {
    console.log(error.operation, error.code);
  }
}
try {
  readTextFile("README.md");
} catch (error) {
  console.log(String(error));
}
views.openText("note", "still shown");
console.log(views.current().length, views.close("nothing"), docs.close("nothing"), docs.closeAll(), programs.history());
programs.rerun(`import { openText } from "gg/views"; openText("rerun", "served as well");`);
finish("out of time");
