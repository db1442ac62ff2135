declare const elsewhere: { value: number };
console.log(elsewhere.value);
