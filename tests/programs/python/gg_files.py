from pathlib import Path

from gg import files

print(files.write_file("notes/today.md", "# Today\n\nWrite code.\n"))
files.edit_file(Path("notes") / "today.md", "code", "tests")
print(files.read_text_file("/work/notes/today.md"), end="")
print(files.read_file("data/ten.txt", offset=3, limit=2))
for entry in files.list_dir("data"):
    print(entry.kind, entry.name)
