import * as programs from "gg/programs";
import { finish } from "gg/session";

finish("revoked with the program that runs in its place");
programs.rerun(`import { finish } from "gg/session";
import { openText } from "gg/views";
openText("second", "shown");
finish("revoked");
throw new RangeError("second");
`);
