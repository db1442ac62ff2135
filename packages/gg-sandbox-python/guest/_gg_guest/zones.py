"""Time zones for `zoneinfo`, which looks for them in files that a component does not have."""

import io
import os
import sys
import zlib

_packed: dict[str, bytes] = {}


def install(folder: str) -> None:
    """Takes in the zones below `folder`, a copy of the package tzdata's `zoneinfo`."""
    for here, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(here, name)
            with open(path, "rb") as file:
                data = file.read()
            if data.startswith(b"TZif"):
                _packed[os.path.relpath(path, folder)] = zlib.compress(data, 9)
    sys.modules["zoneinfo._common"].load_tzdata = load_tzdata
    sys.modules["zoneinfo._tzpath"].available_timezones = available_timezones
    sys.modules["zoneinfo"].available_timezones = available_timezones


def load_tzdata(key):
    """Opens the data of a zone."""
    packed = _packed.get(key)
    if packed is None:
        raise sys.modules["zoneinfo"].ZoneInfoNotFoundError(f"No time zone found with key {key}")
    return io.BytesIO(zlib.decompress(packed))


def available_timezones():
    """Returns a set containing all available time zones."""
    return set(_packed)
