# The draft folder is ignored, so it stays out. Count per file.
import json
import re
from collections import Counter

from gg import files, views

PATHS = ["harbour.txt", "letters.txt", "poems/naught.txt", "poems/tide.txt"]
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

counts = {path: Counter(WORD.findall(files.read_text_file(path).lower())) for path in PATHS}
longest = {path: max(words, key=len) for path, words in counts.items()}
views.open_text("longest", json.dumps(longest, ensure_ascii=False, indent=2))
