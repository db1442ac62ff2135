throw new Proxy(
  {},
  {
    get() {
      throw new Error("no");
    },
    getPrototypeOf() {
      throw new Error("no");
    },
  },
);
