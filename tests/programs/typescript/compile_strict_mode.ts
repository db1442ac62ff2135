var o = { a: 1 };
with (o) {
  console.log(a);
}
delete o;
const n = 010;
let eval = 1;
