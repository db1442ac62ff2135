print(files.read_text_file("README.md"))
