const names = ["process", "require", "module", "__dirname", "Buffer", "files", "gg", "window", "Deno", "fetch", "Intl", "std", "os", "print", "scriptArgs"];
console.log(names.filter((name) => name in globalThis), typeof globalThis, this === undefined);
console.log(import.meta.url ?? "no url", new Error("x").stack.includes("program.js"));
