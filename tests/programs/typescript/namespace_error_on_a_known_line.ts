namespace Geometry {
  export interface Point {
    x: number;
    y: number;
  }
  export const origin: Point = { x: 0, y: 0 };
  export function distance(a: Point, b: Point = origin): number {
    if (Number.isNaN(a.x)) {
      throw new TypeError("a point has no place");
    }
    return Math.hypot(a.x - b.x, a.y - b.y);
  }
}
console.log(Geometry.distance({ x: 3, y: 4 }));
console.log(Geometry.distance({ x: NaN, y: 4 }));
