const enum Level {
  Low = 1,
  High = Low << 4,
}
const levels: Record<Level, string> = { [Level.Low]: "low", [Level.High]: "high" };
console.log(levels[Level.High], Level.High);
