// node src/main.js SDK_FOLDER CATALOGUE.json
//
// Reads the SDK's `.d.ts` files and writes the arm's catalogue. Everything in it comes
// from the declarations and their comments; nothing is written a second time here.

import { readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { reflect } from "./reflect.js";

const [folder, target] = process.argv.slice(2);
if (folder === undefined || target === undefined) {
  console.error("usage: node src/main.js SDK_FOLDER CATALOGUE.json");
  process.exit(2);
}

const files = readdirSync(folder)
  .filter((name) => name.endsWith(".d.ts"))
  .map((name) => resolve(join(folder, name)));

const { catalogue, problems } = reflect(files, resolve(folder));
for (const problem of problems) console.error(`reflect: ${problem}`);
if (problems.length > 0) process.exit(1);
writeFileSync(target, `${JSON.stringify(catalogue, null, 1)}\n`);
const count = (kind) => catalogue.entries.filter((entry) => entry.kind === kind).length;
console.log(`${target}: ${catalogue.modules.length} modules, ${count("operation")} operations, ${count("type")} types, ${count("alias")} aliases`);
