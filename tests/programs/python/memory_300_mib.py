data = bytearray(300 * 1024 * 1024)
print(len(data))
