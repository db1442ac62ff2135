function* numbers() {
  yield 1;
  throw new RangeError("no more numbers");
}

let total = 0;
for (const n of numbers()) {
  total += n;
  console.log(total);
}
