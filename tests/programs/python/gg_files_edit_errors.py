from gg import ApiError, files

for path, old in [
    ("data/settings.ini", "value = 3"),
    ("data/settings.ini", "value = 1"),
    ("data/settings.ini", "value  =  1"),
    ("data/settings.ini", ""),
    ("data/crlf.txt", "first\nsecond"),
    ("data/setings.ini", "value"),
]:
    try:
        files.edit_file(path, old, "x")
    except ApiError as error:
        print(f"{error.code}: {error.message}")
files.edit_file("data/settings.ini", "value", "key")
