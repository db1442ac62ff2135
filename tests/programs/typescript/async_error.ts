async function load(id: number): Promise<string> {
  await Promise.resolve();
  if (id > 1) {
    throw new RangeError(`there is no ${id}`);
  }
  return `item ${id}`;
}
const all: Promise<string>[] = [1, 2].map(load);
console.log(await Promise.all(all));
