import * as memories from "gg/memories";

console.log(memories.createMemory({ name: "deploy", description: "How to deploy", body: "Push, then tag, then push." }));
console.log(memories.editMemory("deploy", "then tag", "tag"));
console.log(memories.readMemory("deploy"));
const calls = [
  () => memories.createMemory({ name: "deploy", description: "Again", body: "x" }),
  () => memories.readMemory("deplo"),
  () => memories.editMemory("deploy", "pull", "x"),
  () => memories.editMemory("deploy", ", ", "x"),
  () => memories.editMemory("deploy", "", "x"),
  () => memories.editMemory("nothing", "a", "b"),
  () => memories.createMemory({ name: "long", description: "x".repeat(60), body: "x" }),
  () => memories.createMemory({ name: "code", description: "d", body: "x", code: " " }),
  () => memories.createMemory({ name: "script", description: "d", body: "x", onUse: " " }),
];
for (const call of calls) {
  try {
    call();
    console.log("answered");
  } catch (error) {
    console.log(error.operation, error.code, error.message);
  }
}
console.log(memories.deleteMemory("deploy"));
memories.searchMemories(["deploy"]);
