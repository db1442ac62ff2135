import { parse } from "lib/tables";
console.log(parse("a"));
