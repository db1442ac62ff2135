Promise.resolve(3)
  .then((n) => n * 2)
  .then((n) => n.toUpperCase());
