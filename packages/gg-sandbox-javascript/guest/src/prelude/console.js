// console: log, info and debug go to standard output, warn and error to standard error.

import natives from "gg/internal/natives";
import { format, inspect } from "gg/prelude/inspect";

// A surrogate without its other half is no character: it is written as U+FFFD.
const wellFormed = Function.prototype.call.bind(String.prototype.toWellFormed);
const counts = new Map();
const timers = new Map();
let indent = "";

function print(stream, text) {
  const shown = wellFormed(text);
  stream(indent === "" ? shown : shown.split("\n").map((line) => indent + line).join("\n"));
}

/** Rows of cells in a frame, as console.table draws them. */
function drawTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)) + 2);
  const rule = (left, middle, right) => left + widths.map((width) => "─".repeat(width)).join(middle) + right;
  const line = (row) => `│${row.map((cell, column) => ` ${cell}`.padEnd(widths[column])).join("│")}│`;
  const [head, ...body] = rows;
  return [rule("┌", "┬", "┐"), line(head), rule("├", "┼", "┤"), ...body.map(line), rule("└", "┴", "┘")].join("\n");
}

const methods = {
  log(...values) {
    print(natives.out, format(values));
  },
  info(...values) {
    print(natives.out, format(values));
  },
  debug(...values) {
    print(natives.out, format(values));
  },
  warn(...values) {
    print(natives.err, format(values));
  },
  error(...values) {
    print(natives.err, format(values));
  },
  trace(...values) {
    const at = { name: "Trace", message: format(values) };
    Error.captureStackTrace(at, methods.trace);
    print(natives.err, at.stack.replace(/^[^\n]*/, values.length === 0 ? "Trace" : `Trace: ${at.message}`));
  },
  assert(condition, ...values) {
    if (condition) return;
    const [first, ...rest] = values;
    const head = typeof first === "string" ? [`Assertion failed: ${first}`, ...rest] : ["Assertion failed", ...values];
    print(natives.err, format(head));
  },
  dir(value, options) {
    print(natives.out, inspect(value, options?.depth === null ? Infinity : (options?.depth ?? 2)));
  },
  table(data, columns) {
    if (data === null || typeof data !== "object") return methods.log(data);
    const entries = data instanceof Map ? [...data] : data instanceof Set ? [...data.values()].entries().toArray() : Object.entries(data);
    const isRow = (value) => value !== null && typeof value === "object";
    const keys = columns ?? [...new Set(entries.flatMap(([, value]) => (isRow(value) ? Object.keys(value) : [])))];
    const values = entries.some(([, value]) => !isRow(value));
    const cell = (value) => inspect(value, 0);
    const body = entries.map(([index, value]) => [
      String(index),
      ...keys.map((key) => (isRow(value) && Object.hasOwn(value, key) ? cell(value[key]) : "")),
      ...(values ? [isRow(value) ? "" : cell(value)] : []),
    ]);
    print(natives.out, drawTable([["(index)", ...keys.map(String), ...(values ? ["Values"] : [])], ...body]));
  },
  count(label = "default") {
    counts.set(label, (counts.get(label) ?? 0) + 1);
    methods.log(`${label}: ${counts.get(label)}`);
  },
  countReset(label = "default") {
    counts.delete(label);
  },
  time(label = "default") {
    timers.set(label, natives.now());
  },
  timeLog(label = "default", ...values) {
    if (timers.has(label)) methods.log(`${label}: ${(natives.now() - timers.get(label)).toFixed(3)}ms`, ...values);
  },
  timeEnd(label = "default") {
    methods.timeLog(label);
    timers.delete(label);
  },
  group(...values) {
    if (values.length > 0) methods.log(...values);
    indent += "  ";
  },
  groupEnd() {
    indent = indent.slice(2);
  },
};
methods.groupCollapsed = methods.group;

const console = {};
for (const [name, value] of Object.entries(methods)) {
  Object.defineProperty(console, name, { value, writable: true, enumerable: true, configurable: true });
}
Object.defineProperty(console, Symbol.toStringTag, { value: "console", configurable: true });
Object.defineProperty(globalThis, "console", { value: console, writable: true, configurable: true });
