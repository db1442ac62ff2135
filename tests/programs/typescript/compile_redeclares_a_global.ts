declare global {
  var console: number;
  interface String {
    length: string;
  }
}
export {};
