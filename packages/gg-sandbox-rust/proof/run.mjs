// node run.mjs CORE.wasm
//
// Runs a program's core module as the farm does, by the export `run`, and prints how it
// ended: standard output and error, and what the program's shell said of its end. The
// host answers a call of gg by what it is asked for: whatever names `missing` is not
// found, a shell is not offered, the rest succeeds.
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WASI } from "node:wasi";

const KINDS = ["error", "api-error", "unknown-name", "exit", "out-of-memory", "stack-overflow", "deadlock"];
const CODES = ["invalid-argument", "not-found", "conflict", "refused", "unavailable", "limit-exceeded", "io-error", "other"];
const NOTES = "one two\ntwo three\n";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const folder = mkdtempSync(join(tmpdir(), "gg-proof-"));
const [out, err] = ["out", "err"].map((name) => join(folder, name));
const wasi = new WASI({
  version: "preview1",
  args: ["program.rs"],
  stdout: openSync(out, "w"),
  stderr: openSync(err, "w"),
  returnOnExit: true,
});

let exports;
const said = [];
const memory = () => new DataView(exports.memory.buffer);
const text = (at, length) => new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length));
function place(string) {
  const bytes = new TextEncoder().encode(string);
  const at = exports.cabi_realloc(0, 0, 1, bytes.length);
  new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  return [at, bytes.length];
}

function feedback(kind, hasCode, code, hasExit, exit, at, length, hasPlace, line, hasColumn, column) {
  said.push(`feedback: ${KINDS[kind]}${hasCode ? ` ${CODES[code]}` : ""}${hasExit ? ` ${exit}` : ""}${hasPlace ? ` at ${line}${hasColumn ? `:${column}` : ""}` : ""}`);
  for (const row of text(at, length).split("\n")) said.push(`  ${row}`);
}

// Every call's last parameter is where its result goes. The error's record follows the discriminant, aligned.
function call(operation, wide, answer) {
  return (...parameters) => {
    const at = parameters.at(-1);
    const named = parameters.length > 2 ? text(parameters[0], parameters[1]) : "";
    said.push(`call: ${operation}${named ? ` ${JSON.stringify(named)}` : ""}`);
    const code = named.includes("missing") ? 1 : operation === "shell.shell" ? 4 : undefined;
    const strings = code === undefined ? answer?.map(place) : [place(operation), place(`no ${named || "such call"}`)];
    const view = memory();
    const payload = at + (wide ? 8 : 4);
    view.setUint8(at, code === undefined ? 0 : 1);
    if (code === undefined) {
      strings?.forEach(([start, length], index) => {
        view.setUint32(payload + 8 * index, start, true);
        view.setUint32(payload + 8 * index + 4, length, true);
      });
      if (!strings) for (let index = 0; index < 24; index += 1) view.setUint8(payload + index, 0);
      return;
    }
    view.setUint32(payload, strings[0][0], true);
    view.setUint32(payload + 4, strings[0][1], true);
    view.setUint8(payload + 8, code);
    view.setUint32(payload + 12, strings[1][0], true);
    view.setUint32(payload + 16, strings[1][1], true);
  };
}

const imports = { ...wasi.getImportObject() };
for (const { module: from, name } of WebAssembly.Module.imports(module)) {
  if (!from.startsWith("gg:sandbox/")) continue;
  const operation = `${from.slice("gg:sandbox/".length).replace(/@.*/, "")}.${name.replaceAll("-", "_")}`;
  imports[from] ??= {};
  imports[from][name] =
    operation === "feedback.error"
      ? feedback
      : operation === "feedback.log"
        ? (at, length) => said.push(`log: ${text(at, length)}`)
        : call(operation, operation === "files.write_file", operation === "files.read_text_file" ? [NOTES] : undefined);
}

let end;
try {
  exports = new WebAssembly.Instance(module, imports).exports;
  wasi.initialize({ exports: { memory: exports.memory } });
  end = exports.run() === 0 ? "completed" : "failed";
} catch (error) {
  // What leaves by proc_exit throws something that is no error.
  end = error instanceof Error ? `trap: ${error.message}` : "left by std::process::exit";
}
const show = (name, file) => {
  const written = readFileSync(file, "utf8");
  return written === "" ? [] : [`${name}:`, ...written.replace(/\n$/, "").split("\n").map((row) => `  ${row}`)];
};
console.log([...said, ...show("stdout", out), ...show("stderr", err), `end: ${end}`].join("\n"));
rmSync(folder, { recursive: true });
