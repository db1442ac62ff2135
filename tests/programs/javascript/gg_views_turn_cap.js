import { openText } from "gg/views";

for (let i = 0; i < 4; i++) openText(`part ${i}`, "x".repeat(300));
