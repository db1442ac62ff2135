function add(a = 0, b = 0) {
  return a + b;
}
const list = [1, 2, 3].map((x) => add(x, 1));
console.log(list.join());
