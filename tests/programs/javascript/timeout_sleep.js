console.log("waiting");
await new Promise((resolve) => setTimeout(resolve, 60_000));
console.log("never");
