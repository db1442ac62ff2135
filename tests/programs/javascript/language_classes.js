class Animal {
  #name;
  static count = 0;
  constructor(name) {
    this.#name = name;
    Animal.count++;
  }
  get name() {
    return this.#name;
  }
  speak() {
    return `${this.#name} makes a sound`;
  }
  static create(...names) {
    return names.map((name) => new this(name));
  }
}
class Dog extends Animal {
  speak() {
    return `${super.speak()}: woof`;
  }
  get [Symbol.toStringTag]() {
    return "Dog";
  }
}
const [rex] = Dog.create("Rex", "Fido");
console.log(rex.speak(), Animal.count, rex instanceof Animal, String(rex), Object.keys(rex), "name" in rex);
rex.name = "Max";
