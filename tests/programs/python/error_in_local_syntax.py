from pathlib import Path

Path("broken.py").write_text("def f(:\n    pass\n")
import broken
