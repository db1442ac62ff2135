import { writeFile } from "gg/files";

for (let i = 0; i < 100; i++) writeFile(`out/${i}.txt`, "x".repeat(65536));
