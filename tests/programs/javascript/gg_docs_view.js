import { openDocsView } from "gg/views";

openDocsView("files.readTextFile");
openDocsView("shell");
openDocsView("files.readFil");
