// Values as text for people, in the style of Node's util.inspect.

import natives from "gg/internal/natives";
import { frames } from "gg/prelude/errors";

const MAX_DEPTH = 2;
const MAX_ITEMS = 100;
const MAX_STRING = 10_000;
const WIDTH = 76;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const TypedArray = Object.getPrototypeOf(Uint8Array);
const typedArrayTag = Object.getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag).get;

/** A string in quotes, with the quote that needs no escape. */
function quote(text) {
  const cut = text.length > MAX_STRING ? text.slice(0, MAX_STRING) : text;
  const mark = !cut.includes("'") ? "'" : !cut.includes('"') ? '"' : !cut.includes("`") && !cut.includes("${") ? "`" : "'";
  const body = JSON.stringify(cut).slice(1, -1).replaceAll('\\"', '"');
  const more = text.length - cut.length;
  return mark + (mark === "'" ? body.replaceAll("'", "\\'") : body) + mark + (more > 0 ? `... ${more} more characters` : "");
}

function keyText(key) {
  if (typeof key === "symbol") return `[${key.toString()}]`;
  return IDENTIFIER.test(key) ? key : quote(key);
}

/** The name of the class that made an object; null for one without a prototype. */
function className(object) {
  for (let at = object; at !== null; at = Object.getPrototypeOf(at)) {
    const made = Object.getOwnPropertyDescriptor(at, "constructor")?.value;
    if (typeof made === "function" && made.name !== "" && isInstance(object, made)) return made.name;
  }
  return null;
}

function isInstance(object, made) {
  try {
    return object instanceof made;
  } catch {
    return false;
  }
}

function functionText(value) {
  const source = Function.prototype.toString.call(value);
  if (/^class\b/.test(source)) {
    const parent = Object.getPrototypeOf(value)?.name;
    return `[class ${value.name || "(anonymous)"}${parent ? ` extends ${parent}` : ""}]`;
  }
  const kind = Object.getPrototypeOf(value)?.constructor?.name ?? "Function";
  return value.name ? `[${kind}: ${value.name}]` : `[${kind} (anonymous)]`;
}

/** Joins parts on one line where they fit, else one a line. */
function layOut(open, parts, close, indent) {
  if (parts.length === 0) return `${open}${close}`;
  const pad = open === "" ? "" : open.endsWith("[") || open.endsWith("{") ? " " : "";
  const total = parts.reduce((sum, part) => sum + part.length + 2, open.length + close.length);
  if (total + indent <= WIDTH && !parts.some((part) => part.includes("\n"))) {
    return `${open}${pad}${parts.join(", ")}${pad}${close}`;
  }
  const inner = " ".repeat(indent + 2);
  // Many short items of a list stand several on a line.
  const items = parts.filter((part) => !part.startsWith("... "));
  if (open.endsWith("[") && items.length > 6 && items.every((part) => part.length <= 6)) {
    const wide = Math.max(...items.map((part) => part.length)) + 2;
    const columns = Math.max(1, Math.min(16, Math.floor((WIDTH - indent) / wide)));
    const lines = [];
    for (let at = 0; at < items.length; at += columns) {
      lines.push(items.slice(at, at + columns).map((part) => part.padStart(wide - 2)).join(", "));
    }
    lines.push(...parts.slice(items.length));
    return `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${" ".repeat(indent)}${close}`;
  }
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${" ".repeat(indent)}${close}`;
}

class Inspector {
  constructor(maxDepth) {
    this.maxDepth = maxDepth;
    this.path = [];
    this.circular = new Map();
  }

  value(value, depth, indent) {
    switch (typeof value) {
      case "string":
        return quote(value);
      case "bigint":
        return `${value}n`;
      case "symbol":
        return value.toString();
      case "number":
        return Object.is(value, -0) ? "-0" : String(value);
      case "object":
        return value === null ? "null" : this.object(value, depth, indent);
      case "function":
        return this.object(value, depth, indent);
      default:
        return String(value);
    }
  }

  object(value, depth, indent) {
    if (this.path.includes(value)) {
      if (!this.circular.has(value)) this.circular.set(value, this.circular.size + 1);
      return `[Circular *${this.circular.get(value)}]`;
    }
    this.path.push(value);
    let text;
    try {
      text = this.body(value, depth, indent);
    } finally {
      this.path.pop();
    }
    return this.circular.has(value) ? `<ref *${this.circular.get(value)}> ${text}` : text;
  }

  body(value, depth, indent) {
    const name = className(value);
    if (isError(value)) return this.error(value, depth, indent);
    if (typeof value === "function") return this.named(functionText(value), value, [], depth, indent);
    if (Array.isArray(value)) {
      const head = name === "Array" ? "" : `${name ?? "[Array: null prototype]"}(${value.length}) `;
      if (depth > this.maxDepth) return `[${name ?? "Array"}]`;
      return layOut(`${head}[`, this.items(value, depth, indent), "]", indent);
    }
    const label = name ?? "[Object: null prototype]";
    if (value instanceof Date) {
      return this.named(Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString(), value, [], depth, indent);
    }
    if (value instanceof RegExp) return this.named(String(value), value, [], depth, indent);
    if (value instanceof Promise) return this.named("Promise", value, [this.settled(value, depth, indent)], depth, indent);
    if (value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) return `${label} { <items unknown> }`;
    for (const Boxed of [Number, String, Boolean, BigInt, Symbol]) {
      if (value instanceof Boxed) return `[${Boxed.name}: ${this.value(value.valueOf(), depth, indent)}]`;
    }
    if (depth > this.maxDepth) return `[${label === "[Object: null prototype]" ? label : name}]`;
    if (value instanceof Map) {
      const parts = [];
      for (const [key, item] of value) {
        if (parts.push(`${this.value(key, depth + 1, indent + 2)} => ${this.value(item, depth + 1, indent + 2)}`) >= MAX_ITEMS) break;
      }
      return layOut(`${label}(${value.size}) {`, [...this.more(parts, value.size), ...this.fields(value, depth, indent)], "}", indent);
    }
    if (value instanceof Set) {
      const parts = [];
      for (const item of value) if (parts.push(this.value(item, depth + 1, indent + 2)) >= MAX_ITEMS) break;
      return layOut(`${label}(${value.size}) {`, [...this.more(parts, value.size), ...this.fields(value, depth, indent)], "}", indent);
    }
    if (value instanceof TypedArray && typedArrayTag.call(value) !== undefined) {
      const parts = Array.from(value.subarray(0, MAX_ITEMS), (item) => this.value(item, depth + 1, indent + 2));
      return layOut(`${label}(${value.length}) [`, this.more(parts, value.length), "]", indent);
    }
    if (value instanceof ArrayBuffer) {
      const bytes = Array.from(new Uint8Array(value).subarray(0, 50), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
      const more = value.byteLength > 50 ? ` ... ${value.byteLength - 50} more bytes` : "";
      return `${label} { [contents]: <${bytes}${more}>, byteLength: ${value.byteLength} }`;
    }
    const tag = value[Symbol.toStringTag];
    const head = name === "Object" && typeof tag !== "string" ? "" : `${label} `;
    const tagged = typeof tag === "string" && tag !== "" && tag !== name ? `${label === "Object" ? "Object" : label} [${tag}] ` : head;
    return layOut(`${tagged}{`, this.fields(value, depth, indent), "}", indent);
  }

  /** Something that is told by its head alone, with its own fields if there are any. */
  named(head, value, parts, depth, indent) {
    if (depth > this.maxDepth) return head;
    const all = [...parts, ...this.fields(value, depth, indent)];
    return all.length === 0 ? head : layOut(`${head} {`, all, "}", indent);
  }

  settled(promise, depth, indent) {
    const [state, result] = natives.settled(promise);
    if (state === "pending") return "<pending>";
    return `${state === "rejected" ? "<rejected> " : ""}${this.value(result, depth + 1, indent + 2)}`;
  }

  items(array, depth, indent) {
    const parts = [];
    let at = 0;
    for (; at < array.length && parts.length < MAX_ITEMS; at++) {
      if (at in array) {
        parts.push(this.value(array[at], depth + 1, indent + 2));
        continue;
      }
      let holes = 1;
      while (at + holes < array.length && !(at + holes in array)) holes++;
      parts.push(`<${holes} empty item${holes === 1 ? "" : "s"}>`);
      at += holes - 1;
    }
    if (at < array.length) parts.push(`... ${array.length - at} more item${array.length - at === 1 ? "" : "s"}`);
    return [...parts, ...this.fields(array, depth, indent, (key) => !/^\d+$/.test(key))];
  }

  more(parts, size) {
    return size > parts.length ? [...parts, `... ${size - parts.length} more item${size - parts.length === 1 ? "" : "s"}`] : parts;
  }

  fields(object, depth, indent, wanted = () => true) {
    const parts = [];
    for (const key of Reflect.ownKeys(object)) {
      const property = Reflect.getOwnPropertyDescriptor(object, key);
      if (!property?.enumerable || !(typeof key === "symbol" || wanted(key))) continue;
      const { get, set } = property;
      const text =
        get && set ? "[Getter/Setter]" : get ? "[Getter]" : set ? "[Setter]" : this.value(property.value, depth + 1, indent + 2);
      parts.push(`${keyText(key)}: ${text}`);
    }
    return parts;
  }

  error(error, depth, indent) {
    const text = headed(error);
    const parts = [];
    if (Object.hasOwn(error, "cause")) parts.push(`[cause]: ${this.value(error.cause, depth + 1, indent + 2)}`);
    if (Array.isArray(error.errors)) parts.push(`[errors]: ${this.value(error.errors, depth + 1, indent + 2)}`);
    const fields = this.fields(error, depth, indent, (key) => !["cause", "errors", "stack", "message", "name"].includes(key));
    const lines = depth === 0 || indent === 0 ? text : text.replaceAll("\n", `\n${" ".repeat(indent)}`);
    const all = [...fields, ...parts];
    // One without frames stands in brackets, but not where it is all there is.
    if (all.length === 0 || depth > this.maxDepth) return text.includes("\n") || this.bare ? lines : `[${lines}]`;
    const inner = " ".repeat(indent + 2);
    return `${lines} {\n${inner}${all.join(`,\n${inner}`)}\n${" ".repeat(indent)}}`;
  }
}

export function isError(value) {
  return value instanceof Error || Error.isError(value);
}

/**
 * An error's name, message and frames. A class that sets no name of its own is named, and
 * a DOMException, whose name is no class's, reads `DOMException [name]`.
 */
function headed(error) {
  const shown = error.stack;
  const text = typeof shown === "string" ? shown : Error.prototype.toString.call(error);
  const name = className(error);
  const given = error.name;
  if (name !== null && name !== given && typeof given === "string" && text.startsWith(given) && !text.startsWith(name)) {
    return (error instanceof DOMException ? `${name} [${given}]` : name) + text.slice(given.length);
  }
  return text;
}

/** An error that nothing caught: its head, its frames, its fields, its cause. */
export function inspectUncaught(error) {
  try {
    const inspector = new Inspector(MAX_DEPTH);
    inspector.bare = true;
    return inspector.value(error, 0, 0);
  } catch {
    return `${Error.prototype.toString.call(error)}\n${frames(error)}`;
  }
}

/** Any value as text; one that cannot be read (a proxy that throws) says so. */
export function inspect(value, depth = MAX_DEPTH) {
  try {
    return new Inspector(depth).value(value, 0, 0);
  } catch (error) {
    if (error instanceof RangeError) return "[a value that is nested too deep to show]";
    return "[a value that throws when it is shown]";
  }
}

const VERB = /%([sdifjoOc%])/g;

/** The arguments of a console call as one line. */
export function format(values) {
  if (typeof values[0] !== "string") return values.map(plain).join(" ");
  let next = 1;
  const text = values.length === 1 ? values[0] : values[0].replace(VERB, (all, verb) => {
    if (verb === "%") return "%";
    if (next >= values.length) return all;
    const value = values[next++];
    switch (verb) {
      case "s":
        return typeof value === "string" ? value : typeof value === "object" && value !== null ? inspect(value, 0) : plain(value);
      case "d":
        return typeof value === "bigint" ? `${value}n` : typeof value === "symbol" ? "NaN" : String(Number(value));
      case "i":
        return typeof value === "bigint" ? `${value}n` : typeof value === "symbol" ? "NaN" : String(Number.parseInt(value, 10));
      case "f":
        return typeof value === "symbol" ? "NaN" : String(Number.parseFloat(value));
      case "j":
        return json(value);
      case "c":
        return "";
      default:
        return inspect(value, 4);
    }
  });
  return [text, ...values.slice(next).map(plain)].join(" ");
}

function plain(value) {
  return typeof value === "string" ? value : inspect(value);
}

function json(value) {
  try {
    return JSON.stringify(value);
  } catch {
    return "[Circular]";
  }
}

export { frames };
