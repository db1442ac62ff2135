// Look first: what a program opens as a view is what is read next.
import { openFile } from "gg/views";

openFile("notes.txt");
