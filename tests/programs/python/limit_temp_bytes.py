with open("/tmp/big.bin", "wb") as file:
    for _ in range(100):
        file.write(b"x" * 65536)
