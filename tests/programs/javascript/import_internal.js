import { files } from "gg/internal/host";

console.log(files);
