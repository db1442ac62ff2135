// @ts-ignore
const r = /(?<a>x)(?<a>y)/;
console.log(r);
