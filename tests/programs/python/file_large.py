with open("big.bin", "wb") as file:
    for i in range(64):
        file.write(bytes([i]) * 65536)
with open("big.bin", "rb") as file:
    file.seek(-1, 2)
    print(file.tell() + 1, file.read())
with open("big.bin", "rb") as file:
    print(sum(len(chunk) for chunk in iter(lambda: file.read(100_000), b"")))
