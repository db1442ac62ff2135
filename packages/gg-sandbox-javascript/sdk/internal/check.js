// Checks of what a program passes to the SDK. Each throws a TypeError that names the
// call and the argument; the guest hides the SDK's frames, so it reads as thrown at
// the program's own line.

/** How a value reads in a message: its kind, and itself where that is short. */
function shown(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return value.length > 40 ? "a string" : JSON.stringify(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (typeof value === "symbol") return "a symbol";
  if (Array.isArray(value)) return "an array";
  if (value instanceof Promise) return "a promise (await it)";
  const name = value.constructor?.name;
  return name && name !== "Object" ? `an object of ${name}` : "an object";
}

function wrong(call, name, wanted, value) {
  throw new TypeError(`${call}: ${name} must be ${wanted}, but it is ${shown(value)}`);
}

/** A string; what is no well-formed Unicode in it is replaced, as the host takes none. */
export function text(call, name, value) {
  if (typeof value !== "string") wrong(call, name, "a string", value);
  return value.isWellFormed() ? value : value.toWellFormed();
}

export function optionalText(call, name, value) {
  return value === undefined ? undefined : text(call, name, value);
}

/** A string sets, null clears, undefined keeps. */
export function textEdit(call, name, value) {
  if (value === undefined || value === null) return value;
  if (typeof value !== "string") wrong(call, name, "a string, or null to clear it", value);
  return text(call, name, value);
}

/** A whole number from 0 to 4294967295, or undefined. */
export function optionalCount(call, name, value) {
  return value === undefined ? undefined : count(call, name, value);
}

export function count(call, name, value) {
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
    wrong(call, name, "a whole number from 0 to 4294967295", value);
  }
  return value;
}

/** A list of strings: an array, or another iterable that is no string itself. */
export function texts(call, name, value) {
  const iterable = value !== null && typeof value === "object" && typeof value[Symbol.iterator] === "function";
  if (!iterable) wrong(call, name, "an array of strings", value);
  return Array.from(value, (item, index) => text(call, `${name}[${index}]`, item));
}

export function optionalTexts(call, name, value) {
  return value === undefined ? undefined : texts(call, name, value);
}

/** One of a set of strings, or undefined. */
export function optionalChoice(call, name, value, choices) {
  if (value === undefined || choices.includes(value)) return value;
  wrong(call, name, `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`, value);
}

/**
 * An object whose fields are all known: a misspelt one would be lost silently.
 * `what` names it in the messages.
 */
export function record(call, what, value, fields) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    wrong(call, what, `an object with ${fields.join(", ")}`, value);
  }
  for (const key of Object.keys(value)) {
    if (!fields.includes(key)) {
      throw new TypeError(`${call}: ${what} has no field ${JSON.stringify(key)}; its fields are ${fields.join(", ")}`);
    }
  }
  return value;
}

/** As `record`, where leaving the whole object out is fine. */
export function options(call, value, fields) {
  return value === undefined ? {} : record(call, "options", value, fields);
}
