import { helper } from "./helper.js";

helper();
