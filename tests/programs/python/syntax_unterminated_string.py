name = "Łukasz 😀
print(name)
