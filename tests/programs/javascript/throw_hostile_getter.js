const error = new Error("x");
Object.defineProperty(error, "stack", {
  get() {
    throw new Error("no stack for you");
  },
});
throw error;
