class ValidationError(ValueError):
    def __init__(self, field, problem):
        super().__init__(f"{field}: {problem}")
        self.field = field


def validate(user):
    if "@" not in user["email"]:
        raise ValidationError("email", "has no @")


validate({"email": "nobody"})
