class Shape {
  constructor() {
    if (new.target === Shape) throw new TypeError("Shape is abstract");
  }
}
class Square extends Shape {
  constructor(side) {
    this.side = side;
    super();
  }
}
new Square(2);
