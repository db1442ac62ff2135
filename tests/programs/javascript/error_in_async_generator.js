async function* rows() {
  yield 1;
  await null;
  throw new Error("the source went away");
}
for await (const row of rows()) console.log(row);
