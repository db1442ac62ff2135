// What the guest (`../run.rs`, `../failure.rs`) calls of the prelude.

import "gg/prelude/errors";
import "gg/prelude/console";
import "gg/prelude/encoding";
import "gg/prelude/clone";
import "gg/prelude/crypto";
import "gg/prelude/url";
import { ApiError } from "gg/core";
import { frames, inspect, inspectUncaught, isError } from "gg/prelude/inspect";
import { absence } from "gg/prelude/absent";
export { nextTimer, runTimer } from "gg/prelude/timers";

const NO_EXPORT = /^Could not find export '(.*)' in module '(.*)'$/;
// Bound now: a program may replace the method.
const match = Function.prototype.call.bind(RegExp.prototype.exec);
const wellFormed = Function.prototype.call.bind(String.prototype.toWellFormed);
const UNDEFINED = /^(\S+) is not defined$/;
const escape = Function.prototype.call.bind(RegExp.prototype[Symbol.replace], /\W/g);

/** What finds a place in the program of this name. */
function placeIn(name) {
  return new RegExp(`(?<![\\w/])${escape(name, "\\$&")}:(\\d+):(\\d+)`);
}

/** A callee as its source has it, at the place that the engine gives for a call. */
function calleeAt(source, [, line, column]) {
  const text = source.split("\n")[line - 1] ?? "";
  const name = /^[\w$]+(?:\.[\w$]+)*/.exec(text.slice(column - 1))?.[0];
  const owner = /(?:(?<![\w$)\]}])[\w$]+\??\.)*$/.exec(text.slice(0, column - 1))[0];
  return name === undefined ? undefined : owner + name;
}

/** The engine's message in the words that users of JavaScript know. */
function reword(error, place, source) {
  if (error.message === "not a function") {
    const at = match(place, frames(error).split("\n", 1)[0]);
    const callee = at ? calleeAt(source, at) : undefined;
    if (callee !== undefined) error.message = `${callee} is not a function`;
  }
  const missing = match(NO_EXPORT, error.message);
  if (missing) {
    error.message = `The requested module '${missing[2]}' does not provide an export named '${missing[1]}'`;
    return true;
  }
  return false;
}

function kindOf(error, unlinked) {
  const message = String(error.message);
  if (error instanceof ApiError) return "api-error";
  if (error instanceof ReferenceError && message.endsWith(" is not defined")) return "unknown-name";
  if (unlinked || message.startsWith("Cannot find module '")) return "unknown-name";
  if (message === "Maximum call stack size exceeded") return "stack-overflow";
  if (error instanceof InternalError && message === "out of memory") return "out-of-memory";
  return "error";
}

/** Says of a global that other hosts of JavaScript have why it is not here. */
function explain(error) {
  const name = match(UNDEFINED, String(error.message))?.[1];
  const sentence = name === undefined ? undefined : absence(name);
  if (sentence === undefined) return;
  try {
    error.message = `${error.message}: ${sentence}`;
  } catch {
    // The program froze it: it stays as it is.
  }
}

/**
 * What is reported of a value that nothing caught. `rejected` says that it was the
 * reason of a promise; the program has this name and this source.
 */
export function describe(value, rejected, name, source) {
  if (!isError(value)) {
    const shown = typeof value === "string" ? JSON.stringify(value) : inspect(value);
    return { kind: "error", text: wellFormed(`Uncaught ${rejected ? "(in promise) " : ""}${shown}`) };
  }
  const program = placeIn(name);
  const unlinked = reword(value, program, source);
  const kind = kindOf(value, unlinked);
  if (kind === "unknown-name") explain(value);
  const place = match(program, frames(value));
  return {
    kind,
    code: kind === "api-error" ? String(value.code) : undefined,
    text: wellFormed(inspectUncaught(value)),
    line: place ? Number(place[1]) : undefined,
    column: place ? Number(place[2]) : undefined,
  };
}
