// The documentation comments of declarations, as text.

import ts from "typescript";

/** The texts of the documentation comments in a piece of source. */
export function blocks(text) {
  return Array.from(text.matchAll(/\/\*\*([^]*?)\*\//g), ([, body]) =>
    body
      .split("\n")
      .map((line) => line.replace(/^\s*\* ?/, ""))
      .join("\n")
      .trim(),
  );
}

/** A declaration's description: what stands before its tags. */
export function prose(node) {
  const comments = node.jsDoc ?? [];
  return textOf(comments.at(-1)?.comment);
}

/** What stands after a tag, or undefined where there is none. */
export function tagText(node, name) {
  const tag = ts.getJSDocTags(node).find((candidate) => candidate.tagName.text === name);
  if (tag === undefined) return undefined;
  // TypeScript may read the first word after @throws as a type.
  const type = tag.typeExpression?.type.getText() ?? "";
  return `${type} ${textOf(tag.comment)}`.trim();
}

/** The description of each @param. */
export function paramDocs(node) {
  const tags = ts.getJSDocTags(node).filter(ts.isJSDocParameterTag);
  return new Map(tags.map((tag) => [tag.name.getText(), textOf(tag.comment).replace(/^- /, "")]));
}

function textOf(comment) {
  return (ts.getTextOfJSDocComment(comment) ?? "").trim();
}

/** The first sentence of a text: to a full stop that ends a word, or to the paragraph's end. */
export function firstSentence(text) {
  const paragraph = text.split(/\n\s*\n/)[0].replace(/\s+/g, " ").trim();
  return /^.*?[^.\s][.!?](?= [A-Z`"(]|$)/.exec(paragraph)?.[0] ?? paragraph;
}
