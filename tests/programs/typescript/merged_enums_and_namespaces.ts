enum E { A } enum E { B = 5 }
function f() { return 1 } namespace f { export const z = 3; }
console.log(E.B, f(), f.z);
