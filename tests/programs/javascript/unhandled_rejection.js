Promise.reject(new TypeError("nobody looks"));
await new Promise((resolve) => setTimeout(resolve, 5));
console.log("never");
