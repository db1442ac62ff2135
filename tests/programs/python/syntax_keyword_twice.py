def f(a, b):
    return a + b


print(f(a=1, a=2))
