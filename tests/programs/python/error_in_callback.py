from functools import reduce

print(reduce(lambda a, b: a + b, [1, 2, "3"]))
