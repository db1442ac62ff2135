from gg import ApiError, files

attempts = {
    "directory": lambda: files.read_file("src"),
    "outside": lambda: files.read_file("../../etc/passwd"),
    "absolute": lambda: files.read_file("/etc/passwd"),
    "link outside": lambda: files.read_file("docs/outside"),
    "dangling": lambda: files.read_file("docs/dangling"),
    "empty path": lambda: files.read_file(""),
    "NUL": lambda: files.read_file("a\0b"),
    "through a file": lambda: files.read_file("README.md/x"),
    "not text": lambda: files.read_text_file("data/latin.txt"),
    "long name": lambda: files.write_file("x" * 300, ""),
    "write a directory": lambda: files.write_file("src", ""),
    "write outside": lambda: files.write_file("/tmp/x", ""),
    "list a file": lambda: files.list_dir("README.md"),
    "list nothing": lambda: files.list_dir("scr"),
    "limit 0": lambda: files.read_file("README.md", limit=0),
}
for name, attempt in attempts.items():
    try:
        print(name, attempt())
    except ApiError as error:
        print(f"{name}: {error.code}: {error.message}")
