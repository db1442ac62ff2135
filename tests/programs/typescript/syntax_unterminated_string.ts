const a = "text;
const b = `never closed;
