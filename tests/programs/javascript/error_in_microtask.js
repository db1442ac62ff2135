queueMicrotask(() => {
  throw new Error("in a microtask");
});
console.log("queued");
