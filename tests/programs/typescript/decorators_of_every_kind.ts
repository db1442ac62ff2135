const seen: string[] = [];
function note(_: unknown, context: DecoratorContext): void {
  seen.push(`${context.kind}:${String(context.name)}`);
  if (context.kind !== "class") context.addInitializer(() => void seen.push(`init:${String(context.name)}`));
}
@note
class Everything {
  @note field = 1;
  @note accessor slot = 2;
  @note static fixed = 3;
  @note method(): void {}
  @note get value(): number {
    return this.slot;
  }
  @note set value(to: number) {
    this.slot = to;
  }
  @note #hidden(): void {}
}
const one = new Everything();
one.value = 5;
console.log(one.slot, one.field, Everything.fixed, seen.length);
console.log(seen.join(" "));
