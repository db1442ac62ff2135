const bytes = new TextEncoder().encode("héllo 👋");
console.log(bytes.length, new TextDecoder().decode(bytes), btoa("hello"), atob("aGVsbG8="));
console.log(new TextDecoder().decode(new Uint8Array([0xff, 0x61])), structuredClone({ a: [new Date(0), new Map([[1, 2]])] }));
new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([0xff]));
