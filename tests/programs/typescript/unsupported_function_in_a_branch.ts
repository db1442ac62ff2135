label: for (const x of [1,2]) { for (;;) { continue label } }
switch (1 as number) { case 1: { break } default: }
if (true) function q() {} 
console.log("ok");
