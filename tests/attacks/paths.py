# Reaches for files outside the tree, by Python's own functions and by gg's. One line an attempt.
import os
import pathlib

from gg import files, shell
from gg.core import ApiError

SECRET = "the-neighbours-secret"
TARGETS = ["@OUTSIDE@/secret", "@NEIGHBOUR@/secret", "/etc/passwd", "/etc/shadow", "/proc/self/environ", "/proc/1/environ"]


def attempt(name, act):
    try:
        found = act()
    except (OSError, ApiError, ValueError, NotImplementedError) as error:
        print(f"{name}: {type(error).__name__}")
    else:
        print(f"{name}: {'nothing in it' if found in (None, False, [], '') else 'got it'}")


def read(path):
    with open(path, "rb") as file:
        return file.read(100)


up = "../" * 30
for number, target in enumerate(TARGETS):
    for form, path in [
        ("as it is", target),
        ("by dots", up + target),
        ("by dots from the tree", "/work/" + up + target),
        ("by dots from the temporary folder", "/tmp/" + up + target),
        ("with slashes", "///" + target),
        ("through a folder of the tree", "made/../" + up + target),
        ("with a NUL", target + "\0"),
    ]:
        os.makedirs("made", exist_ok=True)
        what = f"{target}, {form}"
        attempt(f"open {what}", lambda: read(path))
        attempt(f"stat {what}", lambda: os.stat(path))
        attempt(f"lstat {what}", lambda: os.lstat(path))
        attempt(f"list {what}", lambda: os.listdir(os.path.dirname(path)))
        attempt(f"write {what}", lambda: open(path, "ab"))
        attempt(f"set times of {what}", lambda: os.utime(path, (1, 1)) or True)
        attempt(f"truncate {what}", lambda: os.truncate(path, 0) or True)
        attempt(f"remove {what}", lambda: os.remove(path) or True)
        attempt(f"rename {what}", lambda: os.rename(path, "moved") or True)
        attempt(f"link {what}", lambda: os.link(path, "linked") or True)
        attempt(f"rename onto {what}", lambda: os.rename("made", path) or True)
        attempt(f"files.read_file {what}", lambda: files.read_file(path))
        attempt(f"files.write_file {what}", lambda: files.write_file(path, "x"))
        attempt(f"files.edit_file {what}", lambda: files.edit_file(path, "the", "x") or True)
        attempt(f"files.list_dir {what}", lambda: files.list_dir(os.path.dirname(path)))
        attempt(f"files.search {what}", lambda: files.search(SECRET + "|root:", path=path))
    # A link by Python, and one by a command, which may point anywhere.
    attempt(f"link by Python to {target}", lambda: os.symlink(target, f"own{number}") or None)
    shell.shell(f"ln -s '{target}' link{number}; ln -s '{os.path.dirname(target)}' folder{number}; ln -s / root{number}; ln -s {up}{target} dots{number}")
    base = os.path.basename(target)
    for path in [f"own{number}", f"link{number}", f"folder{number}/{base}", f"root{number}{target}", f"dots{number}"]:
        if path.startswith("own") and not os.path.islink(path):
            continue
        what = f"{path} to {target}"
        attempt(f"open {what}", lambda: read(path))
        attempt(f"stat {what}", lambda: os.stat(path))
        attempt(f"write {what}", lambda: open(path, "r+b"))
        attempt(f"create through {what}", lambda: open(path + ".new", "wb") and path.startswith(("folder", "root")))
        attempt(f"set times of {what}", lambda: os.utime(path, (1, 1)) or True)
        attempt(f"truncate {what}", lambda: os.truncate(path, 0) or True)
        attempt(f"list {what}", lambda: os.listdir(path))
        attempt(f"walk {what}", lambda: list(pathlib.Path(path).glob("*")))
        attempt(f"files.read_file {what}", lambda: files.read_file(path))
        attempt(f"files.write_file {what}", lambda: files.write_file(path, "x"))
        attempt(f"files.edit_file {what}", lambda: files.edit_file(path, "the", "x") or True)
        attempt(f"files.list_dir {what}", lambda: files.list_dir(path))
        attempt(f"files.search {what}", lambda: files.search(SECRET + "|root:", path=path))
attempt("search the whole tree through links", lambda: files.search(SECRET + "|root:x"))
for entry in files.list_dir():
    if entry.name.startswith(("link", "folder", "root", "dots", "own")) and not entry.name.endswith(".new") and str(entry.kind).lower().endswith(("file", "directory")):
        print(f"files.list_dir says what {entry.name} leads to: got it")
