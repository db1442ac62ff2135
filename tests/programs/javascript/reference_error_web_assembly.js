const module = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109]));
