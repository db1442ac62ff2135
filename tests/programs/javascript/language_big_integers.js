console.log(2n ** 200n, BigInt.asUintN(64, -1n), -7n / 2n, (10n ** 50n).toString().length);
let factorial = 1n;
for (let i = 1n; i <= 1000n; i++) factorial *= i;
console.log(String(factorial).length, BigInt("0xff"), Number(2n ** 53n), typeof 1n);
BigInt(1.5);
