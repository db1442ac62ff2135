JSON.parse('{"when": "yesterday"}', (key, value) => {
  if (key === "when") return new Date(value).toISOString();
  return value;
});
