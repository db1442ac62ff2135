const failing = Promise.reject(new Error("handled in time"));
try {
  await failing;
} catch (error) {
  console.log("caught", error.message);
}
