import * as board from "gg/board";
import * as context from "gg/context";
import * as delegation from "gg/delegation";
import * as docs from "gg/docs";
import * as memories from "gg/memories";
import * as programs from "gg/programs";
import * as tasks from "gg/tasks";
import * as views from "gg/views";

const memory = { name: "m", description: "d", body: "b" };
const calls = [
  () => board.createEpic({ prefix: "ABC", title: "title", description: "description" }),
  () => board.createIssue({ title: "title", agent: "dev" }),
  () => board.updateIssue("I-1", { title: "new" }),
  () => board.setIssueBlockedBy("I-1", ["I-2"]),
  () => board.removeEpic("E-1"),
  () => board.removeIssue("I-1"),
  () => board.waitForIssue("I-1"),
  () => tasks.addTask({ id: "t", title: "title" }),
  () => tasks.updateTask("t", { status: "done" }),
  () => tasks.setBlockedBy("t", []),
  () => tasks.completeTask("t"),
  () => tasks.removeTask("t"),
  () => memories.writeMemory(memory),
  () => memories.updateMemory(memory),
  () => memories.createMemory(memory),
  () => memories.readMemory("m"),
  () => memories.editMemory("m", "a", "b"),
  () => memories.searchMemories(["a"]),
  () => memories.deleteMemory("m"),
  () => docs.close("files.readFile"),
  () => docs.closeAll(),
  () => views.close("a"),
  () => views.current(),
  () => context.evictFileView("a"),
  () => context.archiveThread([{ first: 1, last: 2 }]),
  () => context.searchArchive("a"),
  () => context.compact("summary"),
  () => delegation.spawnSubagent("dev", { prompt: "do it" }),
  () => delegation.waitForSubagents(),
  () => delegation.sendMessage("a", "hello"),
  () => delegation.transitionState("next"),
  () => delegation.exec("dev"),
  () => delegation.fork("continue"),
  () => programs.rerun("console.log(1)"),
];
for (const call of calls) {
  try {
    call();
    console.log("answered");
  } catch (error) {
    console.log(error.operation, error.code);
  }
}
tasks.addTask({ id: "t", title: "title" });
