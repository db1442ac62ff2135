import * as programs from "gg/programs";

for (const entry of programs.history()) console.log(entry);
console.log(programs.get(1) + programs.get());
programs.get(7);
