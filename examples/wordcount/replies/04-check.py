# Check the report another way: split at everything that is no letter, and join what an apostrophe or a hyphen held together.
import json
import unicodedata

from gg import files, session, views

report = json.loads(files.read_text_file("counts.json"))


def count(path):
    text = unicodedata.normalize("NFC", files.read_text_file(path))
    found, inside = 0, False
    for at, letter in enumerate(text):
        joins = letter in "'’-" and inside and text[at + 1 : at + 2].isalpha()
        if letter.isalpha() and not inside:
            found += 1
        inside = letter.isalpha() or joins
    return found


recount = {path: count(path) for path in report["files"]}
assert recount == report["files"], f"counted again: {recount}"
assert sum(recount.values()) == report["words"]
assert not any(match.path.startswith("drafts/") for match in files.search("draft"))

word, times = report["top"][0]
views.open_text("checked", f"{len(recount)} files, {report['words']} words")
session.finish(
    f"counts.json holds {report['words']} words ({report['distinct']} different) of {len(recount)} files; "
    f"the most frequent is “{word}” with {times}."
)
