try:
    data = bytearray(300 * 1024 * 1024)
except MemoryError:
    print("too much, in pieces then")
print(sum(len(bytearray(1 << 20)) for _ in range(50)))
