type Palette = Record<"red" | "green", string | number[]>;
const palette = { red: [255, 0, 0], green: "#0f0", blue: 1 } satisfies Palette;
console.log(palette.red.length, palette.green.toFixed());
