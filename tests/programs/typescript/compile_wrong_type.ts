import { writeFile } from "gg/files";

const count: number = 3;
writeFile("count.txt", count);
