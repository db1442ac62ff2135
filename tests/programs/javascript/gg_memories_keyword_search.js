import * as memories from "gg/memories";

const make = (name, description, body) => memories.createMemory({ name, description, body });
make("deploy", "How to deploy", "Push the tag. The tag says which version.");
make("keys", "Where keys are", "In the ring: a TAG hangs on each.");
make("other", "Nothing of it", "Neither.");
for (const hit of memories.searchMemories(["tag", " Deploy ", "tag"])) console.log(hit);
console.log(memories.searchMemories(["absent"]));
memories.searchMemories([" "]);
