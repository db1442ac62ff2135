const a = 1;
const a = 2;
function f() {}
class f {}
console.log(a, f);
