"""What this Python lacks, refused by a sentence instead of a riddle."""

import sys
import threading

_missing: set[str] = set()


class _RefusingFinder:
    """Comes last among the finders, so it speaks only where nothing else found the module."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in _missing:
            raise ModuleNotFoundError(
                f"No module named {name!r}: it is part of the standard library, but this Python, "
                "which runs as WebAssembly, is built without it",
                name=name,
            )
        return None


def _start_joinable_thread(function, handle=None, daemon=True):
    raise RuntimeError(
        "can't start new thread: this Python, which runs as WebAssembly, has only one; "
        "use asyncio, or do the work in turn"
    )


def _no_thread(function, args, kwargs=None):
    _start_joinable_thread(function)


def install(missing) -> None:
    """Puts the refusals in place; `missing` names the modules that cannot be imported."""
    _missing.update(missing)
    find_spec = _RefusingFinder.find_spec
    # CPython drops the frames of its own import machinery from the traceback of a failed
    # import by their file name; this function is a part of that machinery.
    find_spec.__code__ = find_spec.__code__.replace(co_filename="<frozen importlib._bootstrap>")
    sys.meta_path.append(_RefusingFinder)
    threading._start_joinable_thread = _start_joinable_thread
    sys.modules["_thread"].start_joinable_thread = _start_joinable_thread
    sys.modules["_thread"].start_new_thread = _no_thread
