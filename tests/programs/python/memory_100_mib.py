data = bytearray(100 * 1024 * 1024)
data[-1] = 1
print(len(data), sum(data[-10:]))
