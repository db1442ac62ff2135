from pathlib import Path

Path("helper.py").write_text("def lookup(key):\n    raise KeyError(f'{key} is not in the helper')\n")
import helper

helper.lookup("colour")
