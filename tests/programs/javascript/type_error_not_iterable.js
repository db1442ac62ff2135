const counts = { a: 1, b: 2 };
for (const [key, value] of counts) {
  console.log(key, value);
}
