class Circle {
  constructor(radius) {
    this._radius = radius;
  }
  get area() {
    return Math.PI * this.radius.squared();
  }
}
console.log(new Circle(2).area);
