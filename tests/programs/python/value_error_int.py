for line in ["10", "20", "3O"]:
    print(int(line) * 2)
