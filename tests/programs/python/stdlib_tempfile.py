import os
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "a.txt"
    path.write_text("temporary")
    print(path.read_text(), folder.startswith("/tmp/"))
print(os.path.exists(folder))
with tempfile.NamedTemporaryFile("w+", suffix=".txt") as file:
    file.write("x")
    file.flush()
    print(os.path.getsize(file.name), tempfile.gettempdir())
