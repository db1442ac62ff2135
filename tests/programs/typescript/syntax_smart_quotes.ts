const a = “text”;
console.log(a);
