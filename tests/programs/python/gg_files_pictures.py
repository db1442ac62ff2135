from gg import files

print(files.read_file("data/dot.txt"))
print(files.read_file("data/photo.png").contents)
files.read_text_file("data/dot.txt")
