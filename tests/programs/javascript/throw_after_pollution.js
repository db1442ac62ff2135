Array.prototype.map = () => {
  throw 1;
};
JSON.stringify = null;
String.prototype.split = null;
throw new Error("polluted");
