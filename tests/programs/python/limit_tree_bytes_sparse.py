with open("sparse.bin", "wb") as file:
    file.truncate(4 << 40)
