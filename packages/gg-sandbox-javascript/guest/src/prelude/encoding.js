// TextEncoder and TextDecoder, for UTF-8.

import natives from "gg/internal/natives";

const LABELS = ["utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8"];

class TextEncoder {
  get encoding() {
    return "utf-8";
  }

  encode(text = "") {
    return natives.encode(String(text).toWellFormed());
  }

  encodeInto(text, target) {
    let read = 0;
    let written = 0;
    for (const character of String(text).toWellFormed()) {
      const bytes = natives.encode(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}

function viewOf(input) {
  if (input === undefined) return new Uint8Array(0);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (input instanceof ArrayBuffer || input instanceof SharedArrayBuffer) return new Uint8Array(input);
  throw new TypeError("TextDecoder.decode: the input must be an ArrayBuffer or a view of one");
}

/** How many bytes at the end begin a character that is not complete yet. */
function openTail(bytes) {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back];
    if ((byte & 0xc0) === 0x80) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needs > back ? back : 0;
  }
  return 0;
}

class TextDecoder {
  #fatal;
  #ignoreBOM;
  #rest = new Uint8Array(0);
  #begun = false;

  constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
    if (!LABELS.includes(String(label).trim().toLowerCase())) {
      throw new RangeError(`TextDecoder: this sandbox decodes utf-8 only, not ${label}`);
    }
    this.#fatal = Boolean(fatal);
    this.#ignoreBOM = Boolean(ignoreBOM);
  }

  get encoding() {
    return "utf-8";
  }

  get fatal() {
    return this.#fatal;
  }

  get ignoreBOM() {
    return this.#ignoreBOM;
  }

  decode(input, { stream = false } = {}) {
    const given = viewOf(input);
    let bytes = new Uint8Array(this.#rest.length + given.length);
    bytes.set(this.#rest);
    bytes.set(given, this.#rest.length);
    const tail = stream ? openTail(bytes) : 0;
    this.#rest = bytes.slice(bytes.length - tail);
    bytes = bytes.subarray(0, bytes.length - tail);
    const text = natives.decode(bytes, this.#fatal);
    if (text === undefined) {
      this.#rest = new Uint8Array(0);
      throw new TypeError("TextDecoder.decode: the input is not valid utf-8");
    }
    const marked = !this.#begun && !this.#ignoreBOM && text.startsWith("\ufeff");
    this.#begun = stream && (this.#begun || bytes.length > 0);
    return marked ? text.slice(1) : text;
  }
}

for (const value of [TextEncoder, TextDecoder]) {
  Object.defineProperty(value.prototype, Symbol.toStringTag, { value: value.name, configurable: true });
  Object.defineProperty(globalThis, value.name, { value, writable: true, configurable: true });
}
