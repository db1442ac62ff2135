import json


def load(text):
    try:
        return json.loads(text)
    except ValueError as error:
        error.add_note("while loading the settings")
        raise RuntimeError("bad settings") from error


load("{bad")
