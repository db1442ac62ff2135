from gg.file import read_text_file

print(read_text_file("README.md"))
