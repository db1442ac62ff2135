from contextlib import contextmanager


@contextmanager
def transaction(name):
    print("begin", name)
    try:
        yield name.upper()
    except ZeroDivisionError:
        print("rollback", name)
        raise
    else:
        print("commit", name)


with transaction("first") as label:
    print(label)
with transaction("second"):
    1 / 0
