type Deep<T> = { [K in keyof T]: Deep<Deep<T>> };
type Grow<T extends unknown[]> = Grow<[...T, 1]>;
const x: Grow<[]> = [];
declare const y: Deep<{ a: 1 }>;
console.log(x, y.a.a.a.a);
