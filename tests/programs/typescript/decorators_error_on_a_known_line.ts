function logged<This, A extends unknown[], R>(
  method: (this: This, ...args: A) => R,
  context: ClassMethodDecoratorContext<This, (this: This, ...args: A) => R>,
) {
  return function (this: This, ...args: A): R {
    console.log(`call ${String(context.name)}(${args.join()})`);
    return method.call(this, ...args);
  };
}

class Calculator {
  @logged
  add(a: number, b: number): number {
    return a + b;
  }

  @logged
  divide(a: number, b: number): number {
    if (b === 0) throw new RangeError("division by zero");
    return a / b;
  }
}
const calculator = new Calculator();
console.log(calculator.add(1, 2));
console.log(calculator.divide(1, 0));
