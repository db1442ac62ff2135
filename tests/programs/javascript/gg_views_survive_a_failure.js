import { finish } from "gg/session";
import { openText } from "gg/views";

openText("progress", "half done");
finish("all done");
null.property;
