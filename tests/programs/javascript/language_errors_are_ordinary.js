try {
  null.property;
} catch (error) {
  console.log(error instanceof TypeError, error.name, error.message, error.stack.split("\n").at(-1).trim() !== "");
}
const error = new Error("outer", { cause: new Error("inner") });
console.log(String(error), error.cause.message, Object.keys(error), error.toString === Error.prototype.toString);
