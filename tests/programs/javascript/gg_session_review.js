import * as session from "gg/session";

session.approve("looks right");
for (const attempt of [() => session.finish("done"), () => session.requestChanges([]), () => session.requestChanges(["a", " "])]) {
  try {
    attempt();
  } catch (error) {
    console.log(String(error));
  }
}
session.requestChanges(["Add a test.", "Fix the typo."]);
