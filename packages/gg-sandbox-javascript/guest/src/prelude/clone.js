// structuredClone.

const TypedArray = Object.getPrototypeOf(Uint8Array);
const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

function refuse(what) {
  throw new DOMException(`${what} could not be cloned.`, "DataCloneError");
}

function clone(value, seen) {
  if (typeof value === "symbol") refuse(value.toString());
  if (typeof value === "function") refuse(`${value.name || "A function"}`);
  if (value === null || typeof value !== "object") return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  const keep = (copy) => {
    seen.set(value, copy);
    return copy;
  };

  if (Array.isArray(value)) {
    const copy = keep(new Array(value.length));
    for (const key of Object.keys(value)) copy[key] = clone(value[key], seen);
    return copy;
  }
  if (value instanceof Map) {
    const copy = keep(new Map());
    for (const [key, item] of [...value]) copy.set(clone(key, seen), clone(item, seen));
    return copy;
  }
  if (value instanceof Set) {
    const copy = keep(new Set());
    for (const item of [...value]) copy.add(clone(item, seen));
    return copy;
  }
  if (value instanceof Date) return keep(new Date(value.getTime()));
  if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
  if (value instanceof ArrayBuffer) return keep(value.slice(0));
  if (value instanceof TypedArray) {
    const buffer = clone(value.buffer, seen);
    return keep(new value.constructor(buffer, value.byteOffset, value.length));
  }
  if (value instanceof DataView) return keep(new DataView(clone(value.buffer, seen), value.byteOffset, value.byteLength));
  if (value instanceof Error) {
    const copy = keep(new (ERRORS[value.name] ?? Error)(value.message));
    if (Object.hasOwn(value, "cause")) {
      Object.defineProperty(copy, "cause", { value: clone(value.cause, seen), writable: true, configurable: true });
    }
    Object.defineProperty(copy, "stack", { value: value.stack, writable: true, configurable: true });
    return copy;
  }
  for (const Boxed of [Number, String, Boolean, BigInt]) {
    if (value instanceof Boxed) return keep(Object(value.valueOf()));
  }
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) {
    refuse(`#<${value.constructor.name}>`);
  }
  const copy = keep({});
  for (const key of Object.keys(value)) copy[key] = clone(value[key], seen);
  return copy;
}

Object.defineProperty(globalThis, "structuredClone", {
  value: {
    structuredClone(value, options) {
      if (options?.transfer?.length > 0) {
        throw new DOMException("This sandbox has nothing to transfer a value to; leave out transfer.", "DataCloneError");
      }
      return clone(value, new Map());
    },
  }.structuredClone,
  writable: true,
  configurable: true,
});
