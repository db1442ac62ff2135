class AppError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}
class StorageError extends AppError {
  constructor(key) {
    super(`cannot store ${key}`);
  }
}
class QuotaError extends StorageError {}

const store = (key) => {
  throw new QuotaError(key);
};
store("report");
