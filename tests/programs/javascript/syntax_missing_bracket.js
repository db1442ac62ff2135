function first() {
  const values = [1, 2;
  return values[0];
}
