import * as files from "gg/files";
import * as programs from "gg/programs";

const source = `import * as files from "gg/files";
import * as programs from "gg/programs";
const number = Number(files.readTextFile("number")) + 1;
files.writeFile("number", String(number));
console.log("program", number);
try {
  programs.rerun(files.readTextFile("source"));
} catch (error) {
  console.log(error.code, error.message);
}
`;
files.writeFile("source", source);
files.writeFile("number", "1");
programs.rerun(source);
