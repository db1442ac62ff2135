try {
  structuredClone(() => 1);
} catch (error) {
  console.log(error.name, error.code, error instanceof DOMException, error instanceof Error);
  console.log(error.stack);
}
const text = atob("***");
