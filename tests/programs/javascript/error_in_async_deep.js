async function deep(n) {
  await null;
  if (n === 0) throw new TypeError("the bottom");
  return await deep(n - 1);
}
await deep(3);
