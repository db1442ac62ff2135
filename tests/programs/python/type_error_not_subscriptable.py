def find(name):
    for entry in [("a", 1)]:
        if entry[0] == name:
            return entry


print(find("b")[1])
