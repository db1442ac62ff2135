const a: number = 1;
const b: string = `x
y`;
if (a > 0) {
  throw new Error(JSON.stringify(b));
}
