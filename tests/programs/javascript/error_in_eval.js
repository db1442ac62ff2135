const expression = "price * (1 + rate";
const compute = new Function("price", "rate", `return ${expression};`);
console.log(compute(10, 0.2));
