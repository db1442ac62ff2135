import * as context from "gg/context";

console.log(context.searchArchive("anything"));
context.archiveThread([{ first: 1, last: 1 }]);
