// @ts-ignore
import { nothing } from "gg/files";
console.log(nothing);
