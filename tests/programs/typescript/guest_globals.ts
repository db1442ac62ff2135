const bytes: Uint8Array = new TextEncoder().encode("é");
const url = new URL("https://example.org/a?b=1#c");
const timer = setTimeout((n: number) => console.log("later", n), 1, 5);
console.log(bytes.length, new TextDecoder().decode(bytes), url.searchParams.get("b"), timer.hasRef());
console.log(structuredClone({ a: [1] }).a.length, atob(btoa("x")), crypto.randomUUID().length, performance.now() > 0);
queueMicrotask(() => console.log("micro"));
