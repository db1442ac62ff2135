class ValidationError extends Error {
  constructor(field, problem) {
    super(`${field}: ${problem}`);
    this.name = "ValidationError";
    this.field = field;
  }
}

function validate(user) {
  if (!user.email.includes("@")) throw new ValidationError("email", "has no @");
}

validate({ email: "nobody" });
