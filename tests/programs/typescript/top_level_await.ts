const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const words: string[] = [];
for await (const word of (async function* (): AsyncGenerator<string> {
  yield "one";
  await wait(1);
  yield "two";
})()) {
  words.push(word);
}
console.log(words.join());
