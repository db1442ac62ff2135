console.log(typeof fetch, typeof process, typeof Buffer, "Intl" in globalThis);
try {
  await fetch("https://example.com/");
} catch (error) {
  console.log(error.name, "|", error.message, "|", error.stack.split("\n")[0]);
}
