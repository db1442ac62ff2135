"""Code modules in scope: `lib.<key>`, each compiled from the source that the host gives."""

import builtins
import importlib.machinery
import linecache
import sys
import types

from wit_world.imports import feedback as _feedback

from . import report

PACKAGE = "lib"

_scope: dict[str, bytes] = {}


def prepare() -> None:
    """Done once, when the component is built."""
    report.disguise(_Finder.find_spec, _Loader.create_module, _Loader.exec_module, _import)


def bring_into_scope(scope: list[tuple[str, bytes]], tree: str) -> None:
    """Lets the program import these modules, by key; a package `lib` of the tree keeps the rest of its names."""
    if not scope:
        return
    _scope.update((key, bytes(source)) for key, source in scope)
    package = types.ModuleType(PACKAGE, "The code modules of the skills and memories that were read.")
    package.__path__ = [f"{tree}/{PACKAGE}"]
    package.__spec__ = importlib.machinery.ModuleSpec(PACKAGE, None, is_package=True)
    sys.modules[PACKAGE] = package
    sys.meta_path.insert(0, _Finder)


class _Finder:
    """Comes first among the finders: a key in scope is the module of that key."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        package, _, key = name.partition(".")
        if package != PACKAGE or key not in _scope:
            return None
        return importlib.machinery.ModuleSpec(name, _Loader(key), origin=_file(key))


def _file(key: str) -> str:
    return f"{PACKAGE}/{key}.py"


class _Loader:
    def __init__(self, key: str) -> None:
        self.key = key

    def create_module(self, spec):
        return None

    def exec_module(self, module) -> None:
        source, file = _scope[self.key], _file(self.key)
        lines = source.decode("utf-8", "replace").splitlines(keepends=True)
        linecache.cache[file] = (len(source), None, lines, file)
        try:
            code = compile(source, file, "exec", dont_inherit=True)
        except BaseException as error:
            _feedback.module_error(self.key, report.plain(f"{type(error).__name__}: {error}"))
            raise
        # What it needs of another module its caller gives it.
        module.__builtins__ = {**builtins.__dict__, "__import__": _import}
        exec(code, module.__dict__)


def _import(name, globals=None, locals=None, fromlist=(), level=0):
    package, _, key = name.partition(".")
    keys = {key} if key else set(fromlist or ())
    if level == 0 and package == PACKAGE and keys & _scope.keys():
        raise ImportError(
            f"cannot import {sorted(keys & _scope.keys())[0]!r} here: a code module imports no other, "
            "and is given by its caller what it needs of one",
            name=name,
        )
    return builtins.__import__(name, globals, locals, fromlist, level)
