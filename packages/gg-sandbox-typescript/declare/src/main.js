// node main.js SDK_FOLDER GLOBALS.d.ts LIBRARY_FOLDER CATALOGUE.json OUTDIR
//
// Writes what a TypeScript program is checked against: `lib*.d.ts`, ECMAScript as the guest
// has it, composed of the compiler's own declarations; `gg.d.ts`, the SDK and the guest's
// other globals; `globals.json`, the names of all values that these declare, which a test
// holds against the guest; and `catalogue.json`, which is the JavaScript arm's.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { declaredGlobals } from "./globals.js";
import { library } from "./library.js";
import { sdk } from "./sdk.js";

const [sdkFolder, globals, libraryFolder, catalogue, out] = process.argv.slice(2);
if (out === undefined) {
  console.error("usage: node main.js SDK_FOLDER GLOBALS.d.ts LIBRARY_FOLDER CATALOGUE.json OUTDIR");
  process.exit(2);
}
const files = new Map([...library(libraryFolder), ["gg.d.ts", sdk(sdkFolder, globals)]]);
const declarations = join(out, "declarations");
mkdirSync(declarations, { recursive: true });
for (const [name, text] of files) writeFileSync(join(declarations, name), text);
const { names, problems } = declaredGlobals([...files.keys()].map((name) => join(declarations, name)));
for (const problem of problems) console.error(`declare: ${problem}`);
if (problems.length > 0) process.exit(1);
writeFileSync(join(out, "globals.json"), `${JSON.stringify(names, null, 1)}\n`);
const surface = { ...JSON.parse(readFileSync(catalogue, "utf8")), arm: "typescript" };
writeFileSync(join(out, "catalogue.json"), `${JSON.stringify(surface, null, 1)}\n`);
console.log(`${out}: ${Object.keys(names).length} globals declared`);
