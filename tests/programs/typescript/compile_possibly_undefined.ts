const names: Map<string, string[]> = new Map();
const first = names.get("a")[0];
const found = ["x"].find((x) => x === "y");
console.log(first, found.length);
