from gg import ApiError, files

for path in ("README.txt", "src/word.py", "sales.csv", "nothing/at/all.txt", "readme.md"):
    try:
        files.read_text_file(path)
    except ApiError as error:
        print(error)
files.read_text_file("src/wrods.py")
