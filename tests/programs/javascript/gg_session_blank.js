import { finish } from "gg/session";

finish("  ");
