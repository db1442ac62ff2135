from gg import files, shell
from gg import ApiError

for attempt in (lambda: shell.shell("ls"), lambda: files.write_file("a.txt", "x"), lambda: shell.shell("pwd")):
    try:
        attempt()
    except ApiError as error:
        print(error.operation, error.code, error.message)
