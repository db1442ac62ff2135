const data = new Uint8Array(300 * 1024 * 1024);
console.log(data.length);
