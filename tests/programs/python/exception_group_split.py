def run():
    raise ExceptionGroup("several", [ValueError("a"), KeyError("b"), ValueError("c")])


try:
    run()
except* KeyError as group:
    print("handled", [repr(e) for e in group.exceptions])
