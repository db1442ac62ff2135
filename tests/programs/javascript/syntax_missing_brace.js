function f() {
  if (true) {
    console.log("yes");
}
