interface Options {
  filter: { by: (name: string) => boolean; depth: number };
}
const options: Options = { filter: { by: (name: number) => true, depth: "deep" } };
console.log(options);
