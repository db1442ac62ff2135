enum Kind {
  A,
}

function fail(): never {
  throw new Error("read by the program itself");
}

try {
  fail();
} catch (error) {
  console.log((error as Error).stack);
}
console.log(Kind.A);
