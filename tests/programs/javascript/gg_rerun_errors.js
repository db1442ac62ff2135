import * as programs from "gg/programs";

const calls = [
  () => programs.rerun(" \n"),
  () => programs.rerun("x".repeat(2001)),
  () => programs.rerun("console.log('the first stands')"),
  () => programs.rerun("console.log('the second is refused')"),
];
for (const call of calls) {
  try {
    call();
    console.log("answered");
  } catch (error) {
    console.log(error.operation, error.code, error.message);
  }
}
