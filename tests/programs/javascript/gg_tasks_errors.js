import * as tasks from "gg/tasks";

tasks.addTask({ id: "a", title: "First" });
tasks.addTask({ id: "b", title: "Second", blockedBy: ["a"] });
tasks.addTask({ id: "c", title: "Third", blockedBy: ["b"] });
const calls = [
  () => tasks.addTask({ id: "a", title: "Again" }),
  () => tasks.addTask({ id: "d", title: "Fourth" }),
  () => tasks.addTask({ id: " ", title: "Blank" }),
  () => tasks.addTask({ id: "e", title: "two\nlines" }),
  () => tasks.addTask({ id: "e", title: "x".repeat(501) }),
  () => tasks.updateTask("bb", { title: "x" }),
  () => tasks.setBlockedBy("a", ["c"]),
  () => tasks.setBlockedBy("a", ["nobody"]),
  () => tasks.completeTask("nobody"),
  () => tasks.removeTask("nobody"),
];
for (const call of calls) {
  try {
    call();
    console.log("answered");
  } catch (error) {
    console.log(error.operation, error.code, error.message);
  }
}
tasks.setBlockedBy("b", ["b"]);
