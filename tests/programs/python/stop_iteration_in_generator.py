def first_two(source):
    yield next(source)
    yield next(source)


print(list(first_two(iter([1]))))
