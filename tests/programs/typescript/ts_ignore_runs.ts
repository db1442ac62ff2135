// @ts-ignore: it is text
const n: number = "text";
// @ts-expect-error it has no such method
console.log(n.toUpperCase());
