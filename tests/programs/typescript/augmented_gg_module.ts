declare module "gg/files" {
  export function teleport(path: string): void;
}
import { teleport } from "gg/files";
teleport("a.txt");
