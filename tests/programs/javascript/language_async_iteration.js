const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function* ticks(count) {
  for (let i = 0; i < count; i++) {
    await sleep(1);
    yield i;
  }
}
for await (const tick of ticks(3)) console.log(tick);
const results = await Promise.allSettled([sleep(2).then(() => "a"), Promise.reject(new Error("b")), 3]);
console.log(results.map((r) => r.value ?? r.reason.message), await Promise.race([sleep(50), sleep(1).then(() => "first")]));
console.log(await Promise.any([Promise.reject(1), 2]), (await Array.fromAsync(ticks(2))).length);
