with open("missing.txt") as file:
    print(file.read())
