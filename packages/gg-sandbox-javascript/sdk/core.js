// The types that the other modules share. Its documentation is core.d.ts.

export class ApiError extends Error {
  constructor(operation, code, message) {
    super(message);
    this.operation = operation;
    this.code = code;
  }
}
Object.defineProperty(ApiError.prototype, "name", { value: "ApiError", writable: true, configurable: true });
