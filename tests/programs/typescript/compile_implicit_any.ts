function add(a, b) {
  return a + b;
}
const handler = (event) => event;
console.log(add(1, 2), handler);
