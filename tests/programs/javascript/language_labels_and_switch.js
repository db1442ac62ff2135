outer: for (let i = 0; i < 3; i++) {
  for (let j = 0; j < 3; j++) {
    if (j === 2) continue outer;
    if (i === 2) break outer;
    console.log(i, j);
  }
}
switch (typeof null) {
  case "object":
    console.log("an object");
  case "fallthrough":
    console.log("falls through");
    break;
  default:
    console.log("never");
}
do console.log("once");
while (false);
