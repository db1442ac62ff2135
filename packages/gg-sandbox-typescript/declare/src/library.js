// ECMAScript's library as the guest has it.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** The library that a program is checked against, and what the engine has of later ones. */
const LIBRARIES = [
  "es2023",
  "es2024.arraybuffer",
  "es2024.collection",
  "es2024.object",
  "es2024.promise",
  "es2024.regexp",
  "es2024.string",
  "es2025.collection",
  "es2025.float16",
  "es2025.iterator",
  "es2025.promise",
  "es2025.regexp",
  "esnext.array",
  "esnext.disposable",
  "esnext.error",
];

/** What the engine does not have: it has one locale and one thread. */
const ABSENT = new Set(["Intl", "Atomics", "BigIntToLocaleStringOptions"]);
const LOCALE_METHOD = /^(toLocale|localeCompare$)/;
/** Nor what a match leaves behind on RegExp itself. */
const LAST_MATCH = /^"?(\$.|input|lastMatch|lastParen|leftContext|rightContext)"?$/;

const printer = ts.createPrinter({ removeComments: true });

/** The texts of the files that declare it, by name: one, and one for each part that is a module with globals. */
export function library(folder) {
  const seen = new Set();
  const parts = [];
  const files = new Map();
  const add = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    const file = join(folder, `lib.${name}.d.ts`);
    if (!existsSync(file)) throw new Error(`${file} is missing: the toolchain is not the one that is expected`);
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    for (const reference of source.libReferenceDirectives) {
      if (!reference.fileName.endsWith(".intl")) add(reference.fileName);
    }
    const printed = source.statements.filter((node) => !isAbsent(node)).map((node) => print(node, source));
    if (ts.isExternalModule(source)) files.set(`lib.${name}.d.ts`, text(printed));
    else parts.push(...printed);
  };
  LIBRARIES.forEach(add);
  return new Map([["lib.d.ts", text(parts)], ...files]);
}

const text = (parts) => `${parts.filter((part) => part !== "").join("\n")}\n`;

function isAbsent(node) {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.every(({ name }) => ABSENT.has(name.text));
  return node.name !== undefined && ABSENT.has(node.name.text);
}

function print(node, source) {
  const { transformed } = ts.transform(node, [withoutAbsent]);
  return printer.printNode(ts.EmitHint.Unspecified, transformed[0], source);
}

/** Leaves out what the engine has not. A method takes no locale and no options for one. */
const withoutAbsent = (context) => (root) => {
  const visit = (node) => {
    if ((ts.isMethodSignature(node) || ts.isMethodDeclaration(node)) && LOCALE_METHOD.test(node.name.getText())) {
      const kept = node.parameters.filter(({ name }) => name.getText() !== "locales" && name.getText() !== "options");
      return ts.factory.updateMethodSignature(node, node.modifiers, node.name, node.questionToken, node.typeParameters, ts.factory.createNodeArray(kept), node.type);
    }
    if (ts.isPropertySignature(node) && node.parent.name?.text === "RegExpConstructor" && LAST_MATCH.test(node.name.getText())) return undefined;
    return ts.visitEachChild(node, visit, context);
  };
  return ts.visitNode(root, visit);
};
