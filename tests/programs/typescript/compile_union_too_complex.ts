type D = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Number8 = `${D}${D}${D}${D}${D}${D}${D}${D}`;
const n: Number8 = "1";
console.log(n);
