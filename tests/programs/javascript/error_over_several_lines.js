const result = [1, 2, 3]
  .map((n) => n * 2)
  .filter((n) => n > 2)
  .nope((n) => n);
