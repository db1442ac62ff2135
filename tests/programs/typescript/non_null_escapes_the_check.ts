const found = ["a", "b"].find((x) => x === "c")!;

console.log(found.toUpperCase());
