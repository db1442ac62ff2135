from functools import cache, cached_property, partial, reduce, singledispatch, total_ordering


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@singledispatch
def describe(value):
    return f"something: {value}"


@describe.register
def _(value: list):
    return f"a list of {len(value)}"


@total_ordering
class Version:
    def __init__(self, text):
        self.parts = tuple(map(int, text.split(".")))

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts

    @cached_property
    def major(self):
        return self.parts[0]


print(fib(80), reduce(lambda a, b: a * b, range(1, 6)), partial(int, base=2)("101"))
print(describe([1, 2]), describe(3), Version("1.10") > Version("1.9"), Version("3.1").major)
