import * as tasks from "gg/tasks";

console.log(tasks.addTask({ id: "read", title: "Read the files" }));
console.log(
  tasks.addTask({ id: "count", title: "Count", description: "Each file apart.", blockedBy: ["read", "read"] }),
);
tasks.updateTask("read", { status: "in-progress" });
tasks.updateTask("count", { title: "Count all words", description: null });
tasks.completeTask("read");
tasks.setBlockedBy("count", []);
tasks.setBlockedBy("read", ["count"]);
console.log(tasks.removeTask("count"));
