values = [1, 2, 3, 4, 5, 6]
print([y for x in values if (y := x * x) > 10], {x: x % 3 for x in values}, {x % 3 for x in values})
print(sum(x for row in [[1, 2], [3]] for x in row), any(x > 5 for x in values), all(values), list(zip(values, "abc")))
print(list(zip([1, 2], [3], strict=True)))
