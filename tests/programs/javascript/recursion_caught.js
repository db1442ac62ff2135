function depth(n) {
  try {
    return depth(n + 1);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return n;
  }
}
console.log(depth(0) > 1000);
