class Box {
  #secret = 1;
  private hidden = 2;
  constructor(readonly label: string) {}
}
const box = new Box("a");
box.label = "b";
console.log(box.hidden, box.#secret);
