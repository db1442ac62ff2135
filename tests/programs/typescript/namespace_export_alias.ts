export namespace N { export class B { x = 1 } export const y = 2; }
export import Q = N.B;
console.log(new Q().x, N.y);
