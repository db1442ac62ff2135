from gg import files

files.write_file("big.txt", "x" * 200_000)
