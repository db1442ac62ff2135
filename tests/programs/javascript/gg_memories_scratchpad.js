import * as memories from "gg/memories";

console.log(memories.writeMemory({ name: "style", description: "How to write", body: "Short sentences." }));
console.log(memories.updateMemory({ name: "style", description: "How to write", body: "Shorter." }));
console.log(memories.writeMemory({ name: "other", description: "Something else", body: "" }));
const one = { name: "style", description: "d", body: "x" };
const calls = [
  () => memories.writeMemory(one),
  () => memories.updateMemory({ ...one, name: "stile" }),
  () => memories.writeMemory({ ...one, name: "third" }),
  () => memories.updateMemory({ ...one, body: "x".repeat(21) }),
  () => memories.updateMemory({ ...one, code: "1" }),
  () => memories.updateMemory({ ...one, onUse: "1" }),
  () => memories.deleteMemory("nothing"),
];
for (const call of calls) {
  try {
    call();
    console.log("answered");
  } catch (error) {
    console.log(error.operation, error.code, error.message);
  }
}
console.log(memories.deleteMemory("other"));
memories.createMemory(one);
