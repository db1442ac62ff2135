if 5 = x:
    print("five")
