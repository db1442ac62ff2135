const read = async (): Promise<string[]> => ["a"];
console.log(read().length);
for (const name of read()) console.log(name);
