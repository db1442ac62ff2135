// The SDK's modules, as ambient ones, after the guest's other globals.

import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";

/** Without it the compiler takes a default import of a module that has no default, as of CommonJS. It is no value. */
const NO_DEFAULT = "export const __esModule: never;";

const printer = ts.createPrinter({ removeComments: true });

export function sdk(folder, globals) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".d.ts"));
  if (files.length === 0) throw new Error(`${folder} has no declarations`);
  const modules = files.sort().map((file) => {
    const statements = printed(join(folder, file)).split("\n").map((line) => `  ${line}`.trimEnd());
    return `declare module "gg/${basename(file, ".d.ts")}" {\n${statements.join("\n")}\n  ${NO_DEFAULT}\n}`;
  });
  return `${[printed(globals), ...modules].join("\n\n")}\n`;
}

function printed(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  return source.statements.map((node) => printer.printNode(ts.EmitHint.Unspecified, node, source)).join("\n");
}
