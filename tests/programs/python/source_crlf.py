print(1)
x = """a
b"""
print(repr(x))
foo
