const loop = {
  toString() {
    return `${this}`;
  },
};
console.log(`${loop}`);
