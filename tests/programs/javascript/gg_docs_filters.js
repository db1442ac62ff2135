import { search } from "gg/docs";

const page = search("", { module: "files", kind: "operation", limit: 2 });
console.log(page.total, page.hits.map((hit) => hit.key), search("qqqq").total);
console.log(search("", { type: "ShellOutput" }).hits.map((hit) => hit.key), search("directory", { kind: "type" }).hits.map((hit) => hit.key));
for (const attempt of [() => search(), () => search("read", { limit: 0 }), () => search("read", { limit: 101 })]) {
  try {
    attempt();
  } catch (error) {
    console.log(`${error.code}: ${error.message}`);
  }
}
