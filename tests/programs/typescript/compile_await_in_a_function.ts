function f(): number {
  const x = await Promise.resolve(1);
  return x;
}
console.log(f());
