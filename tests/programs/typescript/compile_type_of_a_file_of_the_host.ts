type Host = typeof import("/etc/hostname");
type Up = import("../tmp/x").X;
const a: Host = 1;
console.log(a);
