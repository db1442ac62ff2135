function first(
  xs: string[],
): string | undefined {
  return (
    xs as readonly string[]
  )[0]
}
const wrap = <T>(
  x: T,
): { x: T } =>
  ({ x })
console.log(first(["a"]), wrap(1).x)
const last = first(["b"]) as string
;[1].forEach((n: number) => console.log(n))
console.log(last.length)
