n = 0
while True:
    print("line", n)
    n += 1
