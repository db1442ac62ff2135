from pathlib import Path

for path in sorted(Path("src").rglob("*.py")):
    text = path.read_text()
    if "TODO" in text
        print(path)
