import * as programs from "gg/programs";
import { finish } from "gg/session";
import * as views from "gg/views";

views.openText("caller", "shown too");
finish("said by the caller");
programs.rerun(programs.get().replaceAll("one", "two"));
console.log("the caller goes on");
