import { search } from "gg/docs";

for (const query of ["replace text in a file", "run a bash command", "list a folder", "grep", "finish the session", "show text to the model", "earlier programs"]) {
  console.log(`${query}: ${search(query).hits[0].key}`);
}
