import * as memories from "gg/memories";

memories.createMemory({ name: "greet", description: "A greeting", body: "Hello.", onUse: "console.log('the script ran')" });
console.log(memories.readMemory("greet"), memories.readMemory("greet"));
