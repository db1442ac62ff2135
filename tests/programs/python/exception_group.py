def check(name, value):
    if not value:
        raise ValueError(f"{name} is empty")


problems = []
for name, value in {"title": "", "author": "Ada", "year": 0}.items():
    try:
        check(name, value)
    except ValueError as problem:
        problems.append(problem)
raise ExceptionGroup("the record is wrong", problems)
