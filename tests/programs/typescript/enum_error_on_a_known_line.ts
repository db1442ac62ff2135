enum Color {
  Red,
  Green = "green",
  Blue = 5,
}

function name(color: Color): string {
  if (color === Color.Blue) {
    throw new Error(`no name for ${Color[color]}`);
  }
  return Color[Color.Red] + Color.Green;
}
console.log(name(Color.Red));
console.log(name(Color.Blue));
