import { search } from "gg/files";

for (const { path, line, text } of search("TODO|def \\w+")) console.log(`${path}:${line}: ${text}`);
console.log(search("zzz"), search("^one$", { path: "data" }), search(".", { limit: 3 }).length);
search("(unclosed");
