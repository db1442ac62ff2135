const values = [1, 2, 3];
for (const value of values) {
  console.log(vlaue * 2);
}
