// Reaches for what is around a program, and for files outside by gg's calls. One line an attempt.
import * as files from "gg/files";
import { shell } from "gg/shell";

async function attempt(name, act) {
  let said;
  try {
    const found = await act();
    const nothing = found === undefined || found === null || found === false || found.length === 0;
    said = nothing ? "nothing in it" : "got it";
  } catch (error) {
    said = error.name;
  }
  console.log(`${name}: ${said}`);
}

for (const name of ["process", "Deno", "Bun", "require", "module", "std", "os", "scriptArgs", "__loadScript", "WebAssembly", "Worker", "SharedArrayBuffer"]) {
  await attempt(`the global ${name}`, () => globalThis[name]?.env ?? globalThis[name]?.open);
}
for (const name of ["os", "std", "fs", "node:fs", "node:child_process", "bun:ffi", "./guest.js", "/etc/passwd", "file:///etc/passwd", "https://example.com/x.js", "data:text/javascript,export default 1", "gg/internal/check", "gg/prelude", "../gg/core", "gg/../std", "wit", "wasi:filesystem/types"]) {
  await attempt(`import ${name}`, async () => Object.keys(await import(name)));
}
await attempt("fetch", () => fetch("http://127.0.0.1:@PORT@/"));
await attempt("the constructor's way out", () => (async () => {}).constructor("return globalThis.process")()?.then?.((p) => p));
await attempt("eval's way out", () => eval("typeof process === 'undefined' ? '' : process"));
await attempt("an error's stack of the host", () => (/\/(root|home|work\/|usr)/.test(new Error("x").stack) ? "path" : ""));

const up = "../".repeat(30);
const targets = ["@OUTSIDE@/secret", "@NEIGHBOUR@/secret", "/etc/passwd", "/proc/self/environ"];
for (const [number, target] of targets.entries()) {
  shell(`ln -sfn '${target}' link${number}; ln -sfn / root${number}; mkdir -p made`);
  const forms = [target, up + target, "/work/" + up + target, "made/../" + up + target, `link${number}`, `root${number}${target}`, target + "\0", "\0" + target];
  for (const path of forms) {
    const what = JSON.stringify(path);
    await attempt(`readFile ${what}`, () => files.readFile(path));
    await attempt(`readTextFile ${what}`, () => files.readTextFile(path));
    await attempt(`writeFile ${what}`, () => files.writeFile(path, "x"));
    await attempt(`editFile ${what}`, () => files.editFile(path, "the", "x") ?? true);
    await attempt(`listDir ${what}`, () => files.listDir(path));
    await attempt(`search ${what}`, () => files.search("secret|root:", { path }));
  }
}
