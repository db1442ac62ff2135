def lookup(table, key):
    try:
        return table[key]
    except KeyError:
        raise LookupError(f"nothing is known about {key}") from None


lookup({}, "pears")
