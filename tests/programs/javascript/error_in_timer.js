setTimeout(function tick() {
  undefinedThing();
}, 1);
console.log("set");
