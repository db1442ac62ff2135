import functools


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print("calling", function.__name__)
        return function(*args, **kwargs)

    return wrapper


@logged
def divide(a, b):
    return a / b


divide(1, 0)
