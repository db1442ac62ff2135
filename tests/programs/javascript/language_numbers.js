console.log(0.1 + 0.2, (0.1 + 0.2).toFixed(2), 1e21, 255..toString(16), Number.MAX_SAFE_INTEGER, -0, 1 / -0);
console.log(parseInt("12px"), Number("12px"), Math.round(-2.5), Math.hypot(3, 4), Math.trunc(-4.7), 7 % -3, 2 ** 10);
console.log((1234.5678).toExponential(2), (0.000001234).toPrecision(2), Number.EPSILON > 0, Math.clz32(1), 5 >>> 1, ~5);
