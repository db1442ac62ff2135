// Globals that other hosts of JavaScript have and a program does not: what an error that
// names one says beside its name. None of them is in scope.

const NETWORK = "there is no network here";
const NODE = 'there is no Node.js here. For files write: import * as files from "gg/files"; for commands: import { shell } from "gg/shell"';
const BROWSER = "there is no browser here. To print, write: console.log";
const THREADS = "a program has one thread";
const MODULE = "a program is an ES module, and nothing imports it";
const PLACE = "a program is an ES module without a file of its own. The tree is the current directory";

const SENTENCES = new Map(Object.entries({
  fetch: NETWORK,
  Headers: NETWORK,
  Request: NETWORK,
  Response: NETWORK,
  XMLHttpRequest: NETWORK,
  WebSocket: NETWORK,
  EventSource: NETWORK,
  process: NODE,
  require: 'a program is an ES module. Write, for example: import * as files from "gg/files"',
  module: MODULE,
  exports: MODULE,
  __dirname: PLACE,
  __filename: PLACE,
  Buffer: "there is no Node.js here. Write Uint8Array, with TextEncoder and TextDecoder for text, btoa and atob for base64",
  global: "write globalThis",
  setImmediate: "write setTimeout",
  clearImmediate: "write clearTimeout",
  Deno: NODE,
  Bun: NODE,
  Intl: "there are no locales here. Numbers have toFixed, dates toISOString, strings padStart",
  WebAssembly: "a program here is JavaScript only",
  Worker: THREADS,
  SharedWorker: THREADS,
  window: BROWSER,
  document: BROWSER,
  alert: BROWSER,
  confirm: BROWSER,
  prompt: BROWSER,
  localStorage: BROWSER,
  sessionStorage: BROWSER,
  navigator: BROWSER,
}));
const get = Function.prototype.call.bind(Map.prototype.get);

/** Why there is no global of this name, where other hosts have one. */
export function absence(name) {
  return get(SENTENCES, name);
}
