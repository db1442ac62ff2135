function f(): void {
  console.log("a");
