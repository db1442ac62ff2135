// Errors as users of JavaScript know them. The engine keeps a stack's frames only;
// elsewhere `stack` begins with the error itself, and programs print it.

const own = Object.getOwnPropertyDescriptor(Error.prototype, "stack");
const call = Function.prototype.call;
const framesOf = call.bind(own.get);
const store = call.bind(own.set);
const toText = call.bind(Error.prototype.toString);
const FRAMES = /(?:\n    at [^\n]*)+$/;
const match = call.bind(RegExp.prototype.exec);

/** The frames of an error's stack, as text, or "" where it has none. */
export function frames(error) {
  const text = framesOf(error);
  if (typeof text === "string") return text.trimEnd();
  // A DOMException has its stack, whole, as a property of its own.
  const held = Object.getOwnPropertyDescriptor(error, "stack")?.value;
  return typeof held === "string" ? (match(FRAMES, held)?.[0].slice(1) ?? "") : "";
}

Object.defineProperty(Error.prototype, "stack", {
  get: Object.getOwnPropertyDescriptor({
    get stack() {
      const text = framesOf(this);
      if (typeof text !== "string") return text;
      const trimmed = text.trimEnd();
      return trimmed === "" ? toText(this) : `${toText(this)}\n${trimmed}`;
    },
  }, "stack").get,
  set: Object.getOwnPropertyDescriptor({
    set stack(value) {
      store(this, value);
    },
  }, "stack").set,
  enumerable: false,
  configurable: true,
});

const capture = Error.captureStackTrace;
Object.defineProperty(Error, "captureStackTrace", {
  value: {
    captureStackTrace(target, above) {
      capture(target, above ?? Error.captureStackTrace);
      const { stack } = target;
      const trimmed = typeof stack === "string" ? stack.trimEnd() : "";
      const head = toText(target);
      Object.defineProperty(target, "stack", {
        value: trimmed === "" ? head : `${head}\n${trimmed}`,
        writable: true,
        configurable: true,
      });
    },
  }.captureStackTrace,
  writable: true,
  configurable: true,
});
