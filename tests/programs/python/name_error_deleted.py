try:
    int("x")
except ValueError as error:
    pass
print(error)
