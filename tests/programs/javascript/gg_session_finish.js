import { finish } from "gg/session";

finish("first");
finish("Counted the words: 12.");
