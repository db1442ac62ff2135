export const a: number = 1;
export default function main(): void {
  console.log("main", a);
}
export type { Shape };
interface Shape {
  sides: number;
}
main();
