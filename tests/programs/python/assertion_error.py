def check(actual, expected):
    assert actual == expected, f"expected {expected!r}, got {actual!r}"


check(sorted([3, 1, 2]), [1, 2, 3])
check("a".upper(), "a")
