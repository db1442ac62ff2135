function work() {
  try {
    throw new Error("first");
  } finally {
    console.log("cleaning up");
    throw new Error("second");
  }
}
work();
