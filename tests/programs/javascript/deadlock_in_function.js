async function waitForever(event) {
  await event;
}
const never = new Promise(() => {});
await Promise.all([Promise.resolve(1), waitForever(never)]);
