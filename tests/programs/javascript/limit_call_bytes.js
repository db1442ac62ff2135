import { writeFile } from "gg/files";

writeFile("big.txt", "x".repeat(200_000));
