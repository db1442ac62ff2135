from pathlib import Path

print(sorted(str(path) for path in Path(".").glob("**/*.py")))
target = Path("out") / "deep" / "note.txt"
target.parent.mkdir(parents=True)
target.write_text("héllo\n", encoding="utf-8")
print(target.read_bytes(), target.stat().st_size, target.suffix, target.stem, target.resolve())
target.rename("moved.txt")
print(Path("moved.txt").exists(), target.exists(), Path.cwd(), Path("src").is_dir())
