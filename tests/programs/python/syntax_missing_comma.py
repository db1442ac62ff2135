x = 1
print("ü" x)
