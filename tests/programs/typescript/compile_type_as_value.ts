interface Point {
  x: number;
}
const p = new Point();
console.log(p instanceof Point);
