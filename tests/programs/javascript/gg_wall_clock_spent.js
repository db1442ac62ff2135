import { readTextFile } from "gg/files";
import { finish } from "gg/session";
import { openText } from "gg/views";

try {
  readTextFile("README.md");
} catch (error) {
  console.log(String(error));
}
openText("note", "still shown");
finish("out of time");
