chunks = []
while True:
    chunks.append(b"x" * (8 << 20))
