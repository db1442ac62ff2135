import { shell } from "gg/shell";

console.log(shell("echo out; echo err >&2; exit 3"));
console.log(shell("wc -l < README.md; pwd; echo from bash > made.txt").output);
console.log(shell("kill -9 $$"));
const long = shell("seq 1 20000");
console.log(long.truncated, long.output.length, long.output.slice(-12));
shell("sleep 30", { timeoutSecs: 1 });
