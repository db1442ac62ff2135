namespace N { export let x = 1; export function inc() { x++; return x } export const {a, b: [c]} = {a: 1, b: [2]}; export class K { static z = x } }
N.inc(); console.log(N.x, N.a, N.c, N.K.z);
