class Range {
  constructor(from, to) {
    Object.assign(this, { from, to });
  }
  *[Symbol.iterator]() {
    for (let n = this.from; n < this.to; n++) yield n;
  }
}
function* naturals() {
  let n = 0;
  try {
    while (true) yield n++;
  } finally {
    console.log("closed");
  }
}
const [a, b, ...rest] = new Range(0, 5);
console.log(a, b, rest, Math.max(...new Range(1, 4)), naturals().take(5).filter((n) => n % 2).toArray());
function* talk() {
  const name = yield "who?";
  return `hello ${name}`;
}
const talking = talk();
console.log(talking.next(), talking.next("Ada"), Object.fromEntries(new Map([["k", 1]]).entries()));
