"""The standard library: all of it imported when the component is built.

A component has no folder with the library in it, so what is not in memory when the
snapshot is taken cannot be imported later, except from the sources that `sources` keeps.
"""

import importlib
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(json.__file__))
"""Where the library lies while the component is built."""

MISSING: dict[str, str] = {}
"""Modules of the standard library that this CPython lacks, with what it said."""

# Tools and demonstrations with side effects or a need for a screen, and modules that do
# something when they are imported: those are run from their source when a program asks.
_NOT_PRELOADED = {"antigravity", "idlelib", "lib2to3", "test", "this", "turtledemo", "ensurepip", "venv", "pip"}

# No Unix has these, so a program that asks for one reads what it would read there.
_OTHER_SYSTEMS = {"msvcrt", "nt", "winreg", "winsound", "_overlapped", "_winapi", "_scproxy", "_wmi", "_ios_support"}
_OTHER_SYSTEMS_PARTS = {
    "asyncio.windows_events",
    "asyncio.windows_utils",
    "encodings.mbcs",
    "encodings.oem",
    "multiprocessing.popen_spawn_win32",
}


def preload(report: str) -> None:
    """Imports the library, and writes to `report` what there is and what is missing."""
    available = [name for name in sorted(sys.stdlib_module_names) if _wanted(name) and _import(name)]
    packages = [name for name in available if hasattr(sys.modules[name], "__path__")]
    for package in packages:
        for name in _submodules(package):
            if name not in _OTHER_SYSTEMS_PARTS:
                _import(name)
    for name in [name for name in MISSING if name.startswith("_")]:
        # A private module is missing because a public one is; only that one is named.
        del MISSING[name]
    from_source = [name for name in sorted(_NOT_PRELOADED) if _find(name)]
    with open(report, "w") as file:
        json.dump(
            {
                "python": sys.version.split()[0],
                "available": [name for name in sorted(available + from_source) if not name.startswith("_")],
                "missing": dict(sorted(MISSING.items())),
            },
            file,
            indent=2,
        )
        file.write("\n")


def _wanted(name: str) -> bool:
    skipped = _NOT_PRELOADED | _OTHER_SYSTEMS | {"__main__"}
    return name not in skipped and not name.startswith(("_test", "_xx", "_win"))


def _import(name: str) -> bool:
    try:
        importlib.import_module(name)
    except (ImportError, AttributeError, OSError, NotImplementedError) as error:
        MISSING[name] = str(error)
        # Its own submodules may have been imported before it failed.
        for left in [left for left in sys.modules if left.startswith(f"{name}.")]:
            del sys.modules[left]
        return False
    return True


def _find(name: str) -> bool:
    base = os.path.join(ROOT, name)
    return os.path.exists(f"{base}.py") or os.path.exists(os.path.join(base, "__init__.py"))


def _submodules(package: str):
    folder = os.path.join(ROOT, *package.split("."))
    for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        stem, extension = os.path.splitext(entry)
        if extension == ".py" and stem not in ("__init__", "__main__"):
            yield f"{package}.{stem}"
        elif os.path.exists(os.path.join(folder, entry, "__init__.py")) and entry not in ("test", "tests"):
            yield f"{package}.{entry}"
            yield from _submodules(f"{package}.{entry}")
