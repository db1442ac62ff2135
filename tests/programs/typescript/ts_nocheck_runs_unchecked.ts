// @ts-nocheck
const n: number = "text";
console.log(n.toUpperCase());
console.log(undeclared);
