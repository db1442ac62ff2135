// @ts-ignore
const a: number = "hidden";
// @ts-expect-error
const b: number = 1;
const c: number = "told";
console.log(a, b, c);
