import { search } from "gg/docs";

const hits = search("run a shell command in the tree", { limit: 100 }).hits;
console.log(hits.filter((hit) => ["shell", "board", "tasks"].includes(hit.module)));
console.log(search("write a file", { kind: "operation" }).hits.filter((hit) => hit.key.includes("write")));
