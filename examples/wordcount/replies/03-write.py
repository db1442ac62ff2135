# `poems/naught.txt` is empty: it has no longest word, but it does have a count. The two forms of "café" in the poem also have
# to become one, so normalise before counting.
import json
import re
import unicodedata
from collections import Counter

from gg import files, views

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def words(path):
    text = unicodedata.normalize("NFC", files.read_text_file(path))
    return WORD.findall(text.lower())


def text_files(folder=None):
    for entry in files.list_dir(folder):
        path = f"{folder}/{entry.name}" if folder else entry.name
        if entry.kind == "directory" and path != "drafts":
            yield from text_files(path)
        elif path.endswith(".txt") and not path.endswith(".bak.txt"):
            yield path


per_file = {path: words(path) for path in sorted(text_files())}
total = Counter(word for found in per_file.values() for word in found)
report = {
    "files": {path: len(found) for path, found in per_file.items()},
    "words": total.total(),
    "distinct": len(total),
    "top": sorted(total.items(), key=lambda pair: (-pair[1], pair[0]))[:10],
}
files.write_file("counts.json", json.dumps(report, ensure_ascii=False, indent=2) + "\n")
views.open_file("counts.json")
