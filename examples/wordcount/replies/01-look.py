# First: what is there? Names and kinds in one view, and the two files that decide how to count.
from gg import files, views


def walk(folder):
    for entry in files.list_dir(folder or None):
        path = f"{folder}/{entry.name}" if folder else entry.name
        yield path, entry.kind
        if entry.kind == "directory":
            yield from walk(path)


views.open_text("tree", "\n".join(f"{kind:<9} {path}" for path, kind in walk("")))
views.open_file(".gitignore")
views.open_file("letters.txt", limit=4)
