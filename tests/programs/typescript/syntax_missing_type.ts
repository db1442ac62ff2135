const x: = 1;
function f(a: , b) {}
let y = ;
