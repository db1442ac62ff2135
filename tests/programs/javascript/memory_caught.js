try {
  new Uint8Array(300 * 1024 * 1024);
} catch (error) {
  console.log(error.name);
}
console.log(new Uint8Array(100 * 1024 * 1024).length);
