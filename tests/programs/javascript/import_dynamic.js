const { readTextFile } = await import("gg/files");
console.log(readTextFile("README.md", { limit: 1 }).trim());
try {
  await import("fs");
} catch (error) {
  console.log(error.message);
}
