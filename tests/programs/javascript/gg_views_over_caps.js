import * as views from "gg/views";

for (const [label, body] of [["x".repeat(201), ""], ["", "body"], [" ", "body"], ["big", "x".repeat(65_537)]]) {
  try {
    views.openText(label, body);
  } catch (error) {
    console.log(`${error.code}: ${error.message}`);
  }
}
views.openText("é".repeat(100), "label at its cap");
views.openText("big", "x".repeat(65_537));
