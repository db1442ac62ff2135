import * as context from "gg/context";

const calls = [
  () => context.archiveThread([]),
  () => context.archiveThread([{ first: 2, last: 1 }]),
  () => context.archiveThread([{ first: 0, last: 1 }]),
  () => context.archiveThread([{ first: 1, last: 4 }]),
  () => context.searchArchive(" ?"),
  () => context.evictFileView("/etc/passwd"),
  () => context.compact("summary"),
];
for (const call of calls) {
  try {
    call();
    console.log("answered");
  } catch (error) {
    console.log(error.operation, error.code, error.message);
  }
}
context.archiveThread([{ first: 7, last: 9 }]);
