"""What this Python lacks, refused by a sentence instead of a riddle."""

import sys
import threading

from . import report

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


def no_thread(*_arguments, **_options):
    """Stands where a thread would be started."""
    raise RuntimeError(
        "can't start new thread: this Python, which runs as WebAssembly, has only one; "
        "use asyncio, or do the work in turn"
    )


def install(missing) -> None:
    """Puts the refusals in place; `missing` names the modules that cannot be imported."""
    _missing.update(missing)
    report.disguise(_RefusingFinder.find_spec)
    sys.meta_path.append(_RefusingFinder)
    threading._start_joinable_thread = no_thread
    for name in ("start_joinable_thread", "start_new_thread", "start_new"):
        setattr(sys.modules["_thread"], name, no_thread)
