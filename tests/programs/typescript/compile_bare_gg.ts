import * as gg from "gg";
console.log(gg);
