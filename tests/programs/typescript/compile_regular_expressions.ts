const a = /(/;
const b = /[z-a]/;
const c = /(?<x>a)\k<y>/u;
const d = /a/gg;
console.log(a, b, c, d);
