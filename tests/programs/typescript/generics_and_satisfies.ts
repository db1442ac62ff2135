type Shape = { kind: "circle"; radius: number } | { kind: "square"; side: number };
const area = {
  circle: (s: Extract<Shape, { kind: "circle" }>) => Math.round(Math.PI * s.radius ** 2),
  square: (s: Extract<Shape, { kind: "square" }>) => s.side ** 2,
} satisfies { [K in Shape["kind"]]: (s: Extract<Shape, { kind: K }>) => number };

function pick<T, const K extends readonly (keyof T)[]>(from: T, ...keys: K): Pick<T, K[number]> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K[number]>;
}
console.log(area.circle({ kind: "circle", radius: 2 }), area.square({ kind: "square", side: 3 }));
console.log(JSON.stringify(pick({ a: 1, b: "two", c: true }, "a", "c")));
