import * as docs from "gg/docs";
import * as files from "gg/files";
import * as programs from "gg/programs";
import { finish } from "gg/session";
import { shell } from "gg/shell";
import { readSkill } from "gg/skills";
import * as views from "gg/views";

files.writeFile("a.txt", "one\n");
files.editFile("a.txt", "one", "two");
console.log(files.readFile("a.txt").contents + files.readTextFile("a.txt"));
console.log(files.listDir("src").length, files.search("def ").length, shell("true").exitCode);
console.log(docs.search("read").total > 0, readSkill("release"), programs.history().length, programs.get());
views.openFile("a.txt");
views.openText("note", "text");
views.openDocsView("session.finish");
finish("all that is served was called");
