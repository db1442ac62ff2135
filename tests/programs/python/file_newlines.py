print(open("data/crlf.txt").read().splitlines(), open("data/crlf.txt", newline="").read().encode())
