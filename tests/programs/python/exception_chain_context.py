settings = {}


def port():
    try:
        return settings["port"]
    except KeyError:
        return int(settings.get("fallback", "none"))


port()
