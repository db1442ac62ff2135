const chunks = [];
for (;;) chunks.push(new Uint8Array(1 << 20).fill(1));
