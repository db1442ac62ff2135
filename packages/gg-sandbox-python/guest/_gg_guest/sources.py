"""The library's sources, compressed in memory: for tracebacks, `inspect`, and late imports.

CPython prints the source line of each frame, those of its library too, and reads them
from files that a component does not have.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import zlib

from . import library

_packed: dict[str, bytes] = {}


def install() -> None:
    """Packs the sources and has the import system read them."""
    for folder, folders, names in os.walk(library.ROOT):
        folders[:] = [name for name in folders if name not in ("test", "tests", "__pycache__", "site-packages")]
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    _packed[path] = zlib.compress(file.read(), 9)
    original = importlib.machinery.SourceFileLoader.get_data

    def get_data(self, path):
        """Return the data from path as raw bytes."""
        packed = _packed.get(path)
        return original(self, path) if packed is None else zlib.decompress(packed)

    importlib.machinery.SourceFileLoader.get_data = get_data
    sys.meta_path.append(_LateFinder)


class _LateFinder(importlib.abc.MetaPathFinder):
    """Finds the few modules of the library that are not in memory."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """The spec of a module whose source was packed."""
        if name in library.MISSING:
            # It would fail half-way, naming some private part.
            return None
        base = os.path.join(library.ROOT, *name.split("."))
        for file, search in ((os.path.join(base, "__init__.py"), [base]), (f"{base}.py", None)):
            if file in _packed:
                return importlib.util.spec_from_file_location(
                    name,
                    file,
                    loader=importlib.machinery.SourceFileLoader(name, file),
                    submodule_search_locations=search,
                )
        return None
