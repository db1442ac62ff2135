import { count } from "lib/wordTools";
console.log(count(""));
