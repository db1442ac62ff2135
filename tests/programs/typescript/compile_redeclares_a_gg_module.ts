declare module "gg/files" {
  export function readTextFile(path: number): number;
  export const writeFile: string;
}
import { writeFile } from "gg/files";
console.log(writeFile.length);
