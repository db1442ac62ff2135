const format = new Intl.NumberFormat("de");
console.log(format.format(1.5), (1.5).toLocaleString("de"), [1].toLocaleString());
Atomics.load(new Int32Array(1), 0);
