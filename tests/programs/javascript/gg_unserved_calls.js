import * as board from "gg/board";
import * as context from "gg/context";
import * as delegation from "gg/delegation";

const calls = [
  () => board.createEpic({ prefix: "ABC", title: "title", description: "description" }),
  () => board.createIssue({ title: "title", agent: "dev" }),
  () => board.updateIssue("I-1", { title: "new" }),
  () => board.setIssueBlockedBy("I-1", ["I-2"]),
  () => board.removeEpic("E-1"),
  () => board.removeIssue("I-1"),
  () => board.waitForIssue("I-1"),
  () => context.compact("summary"),
  () => delegation.spawnSubagent("dev", { prompt: "do it" }),
  () => delegation.waitForSubagents(),
  () => delegation.sendMessage("a", "hello"),
  () => delegation.transitionState("next"),
  () => delegation.exec("dev"),
  () => delegation.fork("continue"),
];
for (const call of calls) {
  try {
    call();
    console.log("answered");
  } catch (error) {
    console.log(error.operation, error.code);
  }
}
board.createEpic({ prefix: "ABC", title: "title", description: "description" });
