import * as context from "gg/context";
import * as views from "gg/views";

console.log(context.searchArchive("swordfish"));
console.log(context.archiveThread([{ first: 1, last: 1 }, { first: 1, last: 2 }]));
console.log(context.archiveThread([{ first: 2, last: 2 }]));
for (const hit of context.searchArchive("Swordfish, password").hits) console.log(hit);
console.log(context.searchArchive("three").hits);
for (const view of views.current()) console.log(view);
console.log(context.evictFileView("/work/./README.md"));
console.log(context.evictFileView("README.md"));
views.openFile("README.md");
console.log(context.evictFileView());
console.log(context.evictFileView());
console.log(views.current().map((view) => view.selector));
