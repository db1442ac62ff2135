// Randomness and the clock: what the engine takes when its context is made would be
// the same in every run, so both come from the system at each call or each run.

import natives from "gg/internal/natives";

const QUOTA_BYTES = 65_536;
const INTEGERS = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array];

function define(target, members) {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, { value, writable: true, configurable: true });
  }
  return target;
}

define(Math, {
  random: {
    random() {
      return natives.random();
    },
  }.random,
});

const crypto = define({}, {
  getRandomValues(array) {
    if (!INTEGERS.some((kind) => array instanceof kind)) {
      throw new TypeError("crypto.getRandomValues: the argument must be a typed array of integers");
    }
    if (array.byteLength > QUOTA_BYTES) {
      throw new DOMException(`crypto.getRandomValues gives at most ${QUOTA_BYTES} bytes at once`, "QuotaExceededError");
    }
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(new Uint8Array(natives.fill(array.byteLength)));
    return array;
  },
  randomUUID() {
    const bytes = new Uint8Array(natives.fill(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  },
});
Object.defineProperty(crypto, Symbol.toStringTag, { value: "Crypto", configurable: true });

const performance = define({}, {
  now() {
    return natives.now();
  },
});
Object.defineProperty(performance, "timeOrigin", {
  get() {
    return Date.now() - natives.now();
  },
  configurable: true,
});
Object.defineProperty(performance, Symbol.toStringTag, { value: "Performance", configurable: true });

define(globalThis, { crypto, performance });
