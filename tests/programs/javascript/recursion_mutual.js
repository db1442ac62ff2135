function isEven(n) {
  return n === 0 || isOdd(n - 1);
}
function isOdd(n) {
  return n !== 0 && isEven(n - 1);
}
console.log(isEven(10));
console.log(isEven(1_000_000));
