def numbers():
    yield 1
    yield 1 / 0


print(sum(n * 2 for n in numbers()))
