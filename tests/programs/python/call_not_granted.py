from gg import files, shell

print(files.read_text_file("README.md", limit=1), end="")
print(shell.shell("ls").output)
