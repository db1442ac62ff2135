const { a, b: { c = 5, ...others } = {}, ...rest } = { a: 1, b: { d: 2, e: 3 }, f: 4 };
const [x, , y = 9, ...z] = [1, 2, undefined, 4, 5];
const swap = ([p, q]) => [q, p];
const area = ({ width, height = 2 } = {}) => width * height;
console.log(a, c, others, rest, x, y, z, swap([1, 2]), area({ width: 3 }), { ...rest, g: 1 }, [...z, ..."ab"]);
console.log(null ?? "default", rest?.missing?.deep, rest.missing?.(), 0 || "or", 0 ?? "nullish");
