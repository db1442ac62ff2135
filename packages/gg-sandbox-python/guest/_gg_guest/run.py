"""Runs one program as `python program.py` would."""

import ast
import gc
import io
import linecache
import logging
import os
import random
import sys
import tempfile
import time
import tokenize
import types
import uuid
import warnings
from importlib.machinery import SourceFileLoader

from . import ending, library, modules, report

NAME = "program.py"
"""What the program's errors call it."""

TREE = "/work"

_main_names: dict = {}
_hidden: dict[str, types.ModuleType] = {}


def prepare(gg) -> None:
    """Done once, when the component is built: keeps what every program needs at hand."""
    # The interpreter itself made this module, so its names are exactly those of this version.
    _main_names.update(sys.modules["__main__"].__dict__)
    report.prepare(gg)


def seal(keep: set[str]) -> None:
    """Done last when the component is built: notes what to hide, and puts the library's objects aside."""
    for name, module in sys.modules.items():
        ours = (getattr(module, "__file__", None) or "").startswith(report.BUNDLED)
        if (ours or name.startswith("componentize_py_")) and name.partition(".")[0] not in keep:
            # Held, so that taking it out of sys.modules does not have it torn down at each run.
            _hidden[name] = module
    sys.path_importer_cache.clear()
    linecache.clearcache()
    ending.seal()
    sys.stdin.reconfigure(errors="strict")
    sys.stdout.reconfigure(errors="strict")
    gc.collect()
    # A collection during a program need not look at the library's hundreds of thousands of objects.
    gc.freeze()


def program(name: str, source: bytes, scope: list[tuple[str, bytes]]) -> bool:
    """Runs a program to its end, says why where it failed, and tells whether it completed."""
    global NAME
    NAME = name
    folder = _freshen()
    modules.bring_into_scope(scope, TREE)
    main = types.ModuleType("__main__")
    main.__dict__.clear()
    main.__dict__.update(_main_names)
    path = f"{folder}{NAME}"
    main.__dict__.update(__file__=path, __cached__=None, __loader__=SourceFileLoader("__main__", path))
    sys.modules["__main__"] = main
    lines = _lines(source)
    linecache.cache[NAME] = (len(source), None, lines, NAME)
    failure = None
    try:
        exec(_compiled(source, lines), main.__dict__)
    except BaseException as error:
        _undo_traps()
        try:
            failure = report.failure(error, NAME)
        except BaseException as second:
            # A program can break what the report is made with, never that there is one.
            failure = report.plain(f"{type(error).__name__} (telling it failed by {type(second).__name__})")
    failure = ending.finish(main, failure)
    if failure is None:
        return True
    report.send(failure)
    return False


def _compiled(source: bytes, lines: list[str]) -> types.CodeType:
    try:
        return compile(source, NAME, "exec", dont_inherit=True)
    except SyntaxError as error:
        _show_line(error, source, lines)
        raise


def _show_line(error: SyntaxError, source: bytes, lines: list[str]) -> None:
    """Gives an error of the compiler the program's line; one of the parser brings its own.

    The compiler looks for the line in a file, so it has none, or that of a file in the
    tree that has the program's name. It also counts columns in bytes.
    """
    if error.text is not None and not (os.path.exists(NAME) and _parses(source)):
        return
    if not error.lineno or error.lineno > len(lines):
        return
    error.text = lines[error.lineno - 1]
    error.offset = _character(lines, error.lineno, error.offset)
    error.end_offset = _character(lines, error.end_lineno, error.end_offset)


def _parses(source: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, NAME, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    except (SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _character(lines: list[str], number: int | None, offset: int | None) -> int | None:
    """The column in characters for one in bytes, both from 1."""
    if not number or not offset or offset < 1 or number > len(lines):
        return offset
    return len(lines[number - 1].encode()[: offset - 1].decode(errors="replace")) + 1


def _undo_traps() -> None:
    """Takes back settings of the program that would hit the shim's own code."""
    sys.settrace(None)
    sys.setprofile(None)
    try:
        sys.setrecursionlimit(1000)
    except RecursionError:
        # Raised where the stack is deeper than the limit, which it is not out here.
        pass


def _freshen() -> str:
    """Renews what the snapshot froze: the tree, chance, and the marks that time left. Gives the folder."""
    # The bindings stay reachable from the SDK, which holds them, but no longer by a name
    # that a module of the program's own could collide with. The component's runtime still
    # imports them after the snapshot's last line here, so this is not done at build time.
    for name in _hidden:
        sys.modules.pop(name, None)
    sys.path[:] = [TREE, library.ROOT]
    sys.argv[:] = [NAME]
    sys.orig_argv[:] = ["python", NAME]
    folder = f"{TREE}/"
    try:
        os.chdir(TREE)
    except OSError:
        # A profile may give no tree: the program stays in the root, where nothing is.
        folder = "/"
    else:
        _hide_shadowed()
    random.seed()
    tempfile._name_sequence = None
    tempfile.tempdir = None
    uuid._node = None
    uuid._last_timestamp = None
    logging._startTime = time.time_ns()
    return folder


def _hide_shadowed() -> None:
    """Lets modules of the tree come before the library's, as a script's own folder does.

    They are in memory already, so the import system would never look for the tree's.
    """
    try:
        entries = os.listdir(TREE)
    except OSError:
        return
    for entry in entries:
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
    head = source.split(b"\n", 2)[:2]
    if any(b"coding" in line for line in head):
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        except SyntaxError:
            encoding = "utf-8"
    else:
        # Almost every program; asking tokenize would take longer than running a small one.
        encoding = "utf-8"
    text = source.decode(encoding, "replace").removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Not splitlines: it also splits at form feeds and at Unicode's line separators.
    return [f"{line}\n" for line in text.split("\n")]
