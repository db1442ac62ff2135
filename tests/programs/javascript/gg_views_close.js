import * as docs from "gg/docs";
import * as views from "gg/views";

const selectors = () => views.current().map((view) => view.selector).join(" ");
console.log(views.close("note"), views.close("note"), views.close("/work/data/ten.txt"));
views.openText("new", "never shown");
views.openText("README.md", "a label that is a path");
views.openFile("README.md", { offset: 1, limit: 1 });
console.log(views.close("new"), selectors());
console.log(views.close("README.md"), selectors());
console.log(docs.close("readFile"), docs.close("nothing"), docs.close("docs.search"));
views.openDocsView("views.openText");
console.log(docs.closeAll(), docs.closeAll());
views.openText("note", "opened again");
for (const view of views.current()) console.log(view);
