"""Runs one program as `python program.py` would."""

import gc
import io
import linecache
import os
import random
import sys
import tempfile
import tokenize
import types
import uuid
import logging
import time

from . import ending, library, report

NAME = "program.py"
TREE = "/work"

_main_names: dict = {}
_hidden: list[str] = []


def prepare(gg) -> None:
    """Done once, when the component is built: keeps what every program needs at hand."""
    # The interpreter itself made this module, so its names are exactly those of this version.
    _main_names.update(sys.modules["__main__"].__dict__)
    report.prepare(gg)


def seal(keep: set[str]) -> None:
    """Done last when the component is built: notes what to hide, and puts the library's objects aside."""
    bundled = ("/0/", "/world/", "/bundled/", "/1/")
    for name, module in sys.modules.items():
        file = getattr(module, "__file__", None) or ""
        if file.startswith(bundled) and name.partition(".")[0] not in keep:
            _hidden.append(name)
    _hidden.extend(name for name in sys.modules if name.startswith("componentize_py_"))
    linecache.clearcache()
    gc.collect()
    # A collection during a program need not look at the library's hundreds of thousands of objects.
    gc.freeze()


def program(source: bytes) -> bool:
    """Runs a program to its end, says why where it failed, and tells whether it completed."""
    _freshen()
    main = types.ModuleType("__main__")
    main.__dict__.clear()
    main.__dict__.update(_main_names)
    main.__dict__.update(__file__=f"{os.getcwd().rstrip('/')}/{NAME}", __cached__=None)
    sys.modules["__main__"] = main
    lines = _lines(source)
    linecache.cache[NAME] = (len(source), None, lines, NAME)
    failure = None
    try:
        exec(compile(source, NAME, "exec", dont_inherit=True), main.__dict__)
    except BaseException as error:
        failure = report.failure(error, NAME, lines)
        error = None
    failure = ending.finish(main, failure)
    if failure is None:
        return True
    report.send(failure)
    return False


def _freshen() -> None:
    """Renews what the snapshot froze: the tree, chance, and the marks that time left."""
    # The bindings stay reachable from the SDK, which holds them, but no longer by a name
    # that a module of the program's own could collide with. The component's runtime still
    # imports them after the snapshot's last line here, so this is not done at build time.
    for name in _hidden:
        sys.modules.pop(name, None)
    sys.path[:] = [TREE, library.ROOT]
    sys.path_importer_cache.clear()
    sys.argv[:] = [NAME]
    sys.orig_argv[:] = ["python", NAME]
    try:
        os.chdir(TREE)
    except OSError:
        # A profile may give no tree.
        os.chdir("/")
    _hide_shadowed()
    random.seed()
    tempfile._name_sequence = None
    tempfile.tempdir = None
    uuid._node = None
    uuid._last_timestamp = None
    logging._startTime = time.time_ns()


def _hide_shadowed() -> None:
    """Lets modules of the tree come before the library's, as a script's own folder does.

    They are in memory already, so the import system would never look for the tree's.
    """
    try:
        names = os.listdir(TREE)
    except OSError:
        return
    for entry in names:
        stem, dot, extension = entry.partition(".")
        if (extension == "py" or not dot) and stem in sys.modules and stem not in _NEVER_SHADOWED:
            if dot or os.path.exists(f"{TREE}/{stem}/__init__.py"):
                for name in [name for name in sys.modules if name == stem or name.startswith(f"{stem}.")]:
                    del sys.modules[name]


# What CPython itself has imported before a script begins cannot be shadowed there either.
_NEVER_SHADOWED = frozenset(
    """__main__ _abc _codecs _collections_abc _frozen_importlib _frozen_importlib_external _imp _io
    _sitebuiltins _stat _thread _warnings _weakref abc builtins codecs encodings errno genericpath io
    marshal os posix posixpath site stat sys time zipimport""".split()
) | {"gg"}


def _lines(source: bytes) -> list[str]:
    """The program's lines for tracebacks, in the encoding that it declares."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError:
        encoding = "utf-8"
    # CPython ends lines as every text file's are.
    text = io.TextIOWrapper(io.BytesIO(source), encoding=encoding, errors="replace", newline=None).read()
    return text.splitlines(keepends=True) if "\n" not in text else [line + "\n" for line in text.split("\n")]
