from gg import files

print(files.read_text_file("README.md", limit=1), end="")
files.read_file("README.md")
