// @ts-nocheck
console.log("before");
break;
