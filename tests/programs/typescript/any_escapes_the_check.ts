const parsed: any = JSON.parse('{"items": null}');
function count(value: any): number {
  return value.items.length;
}
console.log(count(parsed));
