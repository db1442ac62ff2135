import { default as files } from "gg/files";
import * as views from "gg/views";
console.log(files, views.default);
