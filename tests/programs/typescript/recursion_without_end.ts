function depth(n: number): number {
  return 1 + depth(n + 1);
}
console.log(depth(0));
