const id = crypto.randomUUID();
const values = crypto.getRandomValues(new Uint8Array(16));
const start = performance.now();
for (let i = 0; i < 1000; i++);
console.log(/^[0-9a-f-]{36}$/.test(id), values.some((v) => v > 0), performance.now() >= start, Math.random() < 1);
