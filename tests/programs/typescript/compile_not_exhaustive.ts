type Kind = "a" | "b" | "c";
function tell(kind: Kind): string {
  switch (kind) {
    case "a":
      return "A";
    case "b":
      return "B";
  }
}
const table: Record<Kind, number> = { a: 1, b: 2 };
console.log(tell("c"), table);
