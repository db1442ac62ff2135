// From declarations to the catalogue (its shape: common/src/catalogue.rs).

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import ts from "typescript";
import { blocks, firstSentence, paramDocs, prose, tagText } from "./comments.js";

/** The order in which the modules are documented. */
const MODULES = [
  "core",
  "files",
  "shell",
  "board",
  "tasks",
  "memories",
  "docs",
  "views",
  "context",
  "delegation",
  "skills",
  "programs",
  "session",
];

const OPTIONS = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
};

const printer = ts.createPrinter({ removeComments: true });

export function reflect(files, folder) {
  const program = ts.createProgram(files, { ...OPTIONS, paths: { "gg/*": [`${folder}/*.d.ts`] } });
  const problems = ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const where = diagnostic.file ? `${basename(diagnostic.file.fileName)}: ` : "";
    return where + ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
  });

  const sources = new Map(files.map((file) => [basename(file, ".d.ts"), program.getSourceFile(file)]));
  for (const name of sources.keys()) if (!MODULES.includes(name)) problems.push(`${name}.d.ts: no module has this name; add it to MODULES`);
  for (const name of MODULES) if (!sources.has(name)) problems.push(`the module ${name} has no ${name}.d.ts`);

  for (const [name, source] of sources) problems.push(...differences(name, source));

  const present = MODULES.filter((name) => sources.has(name));
  const known = new Map();
  for (const module of present) {
    for (const statement of declarations(sources.get(module))) {
      if (!ts.isFunctionDeclaration(statement)) known.set(statement.name.text, statement);
    }
  }
  const reflector = new Reflector(known, problems);
  const catalogue = {
    version: 1,
    arm: "javascript",
    memberSeparator: ".",
    modules: present.map((module) => reflector.module(module, sources.get(module))),
    entries: present.flatMap((module) => declarations(sources.get(module)).map((node) => reflector.entry(module, node))),
  };
  return { catalogue, problems };
}

/** The exported declarations of a file, in its order. */
function declarations(source) {
  return source.statements.filter(
    (node) =>
      node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) &&
      (ts.isFunctionDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)),
  );
}

/** What a module declares and does not export, or exports and does not declare. */
function differences(name, declared) {
  const file = declared.fileName.replace(/\.d\.ts$/, ".js");
  const code = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2024, true, ts.ScriptKind.JS);
  const values = (source) => new Set(declarations(source).filter((node) => ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)).map((node) => node.name.text));
  const [promised, exported] = [values(declared), values(code)];
  return [
    ...[...promised].filter((value) => !exported.has(value)).map((value) => `${name}.d.ts declares ${value}, which ${name}.js does not export`),
    ...[...exported].filter((value) => !promised.has(value)).map((value) => `${name}.js exports ${value}, which ${name}.d.ts does not declare`),
  ];
}

class Reflector {
  constructor(known, problems) {
    this.known = known;
    this.problems = problems;
  }

  module(name, source) {
    const comment = blocks(source.text.slice(0, source.getLeadingTriviaWidth(source)) || source.text)[0] ?? "";
    const summary = firstSentence(comment.replace(/@module[^]*$/, ""));
    if (summary === "") this.problems.push(`${name}.d.ts does not begin with a comment that says what the module is for`);
    const line = name === "core" ? 'import { ApiError } from "gg/core";' : `import * as ${name} from "gg/${name}";`;
    return { name, import: line, summary };
  }

  entry(module, node) {
    const name = node.name.text;
    const key = `${module}.${name}`;
    const described = prose(node);
    if (described === "") this.problems.push(`${key} has no description`);
    const common = { key, module, name, summary: firstSentence(described) };
    return ts.isFunctionDeclaration(node) ? this.call(common, described, node) : this.type(common, described, node);
  }

  call(common, described, node) {
    const operation = tagText(node, "operation");
    const alias = tagText(node, "alias");
    if ((operation === undefined) === (alias === undefined)) {
      this.problems.push(`${common.key} must carry either @operation or @alias with the operation's identity`);
    }
    const documented = paramDocs(node);
    const parameters = node.parameters.map((parameter) => {
      const name = parameter.name.getText();
      const documentation = documented.get(name) ?? "";
      if (documentation === "") this.problems.push(`${common.key}: the parameter ${name} has no @param`);
      return { name, type: parameter.type.getText(), optional: parameter.questionToken !== undefined, documentation };
    });
    for (const name of documented.keys()) {
      if (!parameters.some((parameter) => parameter.name === name)) this.problems.push(`${common.key}: @param ${name} names no parameter`);
    }
    const returns = node.type.getText();
    const given = tagText(node, "returns");
    if (returns !== "void" && given === undefined) this.problems.push(`${common.key} has no @returns`);
    const list = node.parameters.map((parameter) => parameter.getText()).join(", ");
    const sections = [
      described,
      ...parameters.map(({ name, documentation }) => `Parameter ${name}: ${documentation}`),
      given === undefined ? "" : `Returns: ${given}`,
      tagText(node, "throws") === undefined ? "" : `Throws: ${tagText(node, "throws")}`,
      tagText(node, "example") === undefined ? "" : `Example:\n${tagText(node, "example")}`,
    ];
    return {
      key: common.key,
      operation: operation ?? alias ?? null,
      kind: alias === undefined ? "operation" : "alias",
      module: common.module,
      name: common.name,
      signature: `${common.name}(${list}): ${returns}`,
      summary: common.summary,
      documentation: sections.filter((section) => section !== "").join("\n\n"),
      parameters,
      returns,
      types: this.mentioned([...node.parameters.map((parameter) => parameter.type), node.type], common.name),
      fields: [],
      variants: [],
    };
  }

  type(common, described, node) {
    const members = ts.isTypeAliasDeclaration(node) ? [] : node.members.filter((member) => ts.isPropertySignature(member) || ts.isPropertyDeclaration(member));
    const fields = members.map((member) => {
      const name = member.name.getText();
      const documentation = prose(member);
      if (documentation === "") this.problems.push(`${common.key}: the field ${name} has no description`);
      return { name, type: member.type.getText(), optional: member.questionToken !== undefined, documentation };
    });
    const variants = ts.isTypeAliasDeclaration(node) ? this.variants(common.key, described, node.type) : [];
    const within = ts.isTypeAliasDeclaration(node) ? [node.type] : members.map((member) => member.type);
    return {
      key: common.key,
      operation: null,
      kind: "type",
      module: common.module,
      name: common.name,
      signature: signatureOf(node),
      summary: common.summary,
      documentation: [described, ...fields.map(({ name, documentation }) => `Field ${name}: ${documentation}`)].join("\n\n"),
      parameters: [],
      returns: null,
      types: this.mentioned(within, common.name),
      fields,
      variants,
    };
  }

  /** The members of a union: strings by the list in the comment, types by their own comment. */
  variants(key, described, node) {
    if (!ts.isUnionTypeNode(node)) return [];
    return node.types.map((type) => {
      const name = type.getText();
      const bullet = described.split("\n").find((line) => line.startsWith(`- \`${name}\`: `));
      const declared = this.known.get(name);
      const documentation = bullet?.slice(`- \`${name}\`: `.length) ?? (declared ? firstSentence(prose(declared)) : "");
      if (documentation === "") this.problems.push(`${key}: the comment says nothing of ${name}`);
      return { name, type: name, optional: false, documentation };
    });
  }

  /** The names of the SDK's types that type nodes mention. */
  mentioned(nodes, own) {
    const found = new Set();
    const visit = (node) => {
      if (ts.isTypeReferenceNode(node) && this.known.has(node.typeName.getText())) found.add(node.typeName.getText());
      ts.forEachChild(node, visit);
    };
    nodes.forEach(visit);
    found.delete(own);
    return [...found];
  }
}

/** A type's declaration without its comments. */
function signatureOf(node) {
  const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  return text.replace(/^export (declare )?/, "").replaceAll("    ", "  ");
}
