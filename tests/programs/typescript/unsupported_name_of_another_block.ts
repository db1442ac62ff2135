namespace A { export namespace B { export enum C { X = 3 } } let hidden = 1; export function f() { return hidden } }
namespace A.D { export const g = A.f() + B.C.X }
console.log(A.D.g);
