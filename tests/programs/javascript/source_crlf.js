console.log(1);
const x = `a
b`;
console.log(JSON.stringify(x));
foo();
