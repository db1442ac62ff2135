import { openText } from "gg/views";
import { shell } from "gg/shell";

openText("label");
shell("ls", { timeout: 5 });
shell("ls", 5, 6);
