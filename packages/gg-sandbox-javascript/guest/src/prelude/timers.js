// Timers, on the system's clock. The guest (`../run.rs`) waits and calls what is due.

import natives from "gg/internal/natives";

const MAX_DELAY_MS = 2 ** 31 - 1;
/** By number, in the order in which they were set. */
const waiting = new Map();
let last = 0;

class Timeout {
  #id;

  constructor(id) {
    this.#id = id;
  }

  /** Lets the program end while this timer waits. */
  unref() {
    const timer = waiting.get(this.#id);
    if (timer) timer.holds = false;
    return this;
  }

  ref() {
    const timer = waiting.get(this.#id);
    if (timer) timer.holds = true;
    return this;
  }

  hasRef() {
    return waiting.get(this.#id)?.holds ?? false;
  }

  [Symbol.toPrimitive]() {
    return this.#id;
  }
}

function set(name, callback, delay, repeats, values) {
  if (typeof callback !== "function") {
    throw new TypeError(`${name}: the callback must be a function, but it is ${callback === null ? "null" : typeof callback}`);
  }
  const asked = Number(delay);
  // As elsewhere: what is out of range, or no number, becomes one millisecond.
  const ms = asked >= 1 && asked <= MAX_DELAY_MS ? Math.trunc(asked) : 1;
  const id = ++last;
  waiting.set(id, { callback, values, ms, repeats, due: natives.now() + ms, holds: true });
  return new Timeout(id);
}

function clear(timer) {
  if (timer === undefined || timer === null) return;
  waiting.delete(Number(timer));
}

/** The first that is due, and among equals the first that was set. */
function first() {
  let found;
  for (const [id, timer] of waiting) {
    if (found === undefined || timer.due < found[1].due) found = [id, timer];
  }
  return found;
}

/** Milliseconds until a timer is due; -1 where nothing waits that holds the program. */
export function nextTimer() {
  for (const timer of waiting.values()) {
    if (timer.holds) return Math.max(0, first()[1].due - natives.now());
  }
  return -1;
}

/** Calls the timer that is due. */
export function runTimer() {
  const [id, timer] = first();
  if (timer.due > natives.now()) return;
  if (timer.repeats) {
    timer.due = natives.now() + timer.ms;
  } else {
    waiting.delete(id);
  }
  timer.callback.apply(undefined, timer.values);
}

const globals = {
  setTimeout(callback, delay, ...values) {
    return set("setTimeout", callback, delay, false, values);
  },
  setInterval(callback, delay, ...values) {
    return set("setInterval", callback, delay, true, values);
  },
  clearTimeout(timer) {
    clear(timer);
  },
  clearInterval(timer) {
    clear(timer);
  },
};
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}
