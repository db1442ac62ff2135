const order = [];
setTimeout(() => order.push("20"), 20);
setTimeout((text) => order.push(text), 5, "5");
setTimeout(() => order.push("0"));
const cancelled = setTimeout(() => order.push("never"), 1);
clearTimeout(cancelled);
const { promise: done, resolve } = Promise.withResolvers();
const interval = setInterval(() => {
  order.push("i");
  if (order.filter((o) => o === "i").length < 2) return;
  clearInterval(interval);
  setTimeout(resolve, 60);
}, 30);
queueMicrotask(() => order.push("micro"));
Promise.resolve().then(() => order.push("then"));
order.push("sync");
await done;
console.log(order.join(" "));
