"""What CPython does after a program's last line, in its order."""

import atexit
import gc
import logging
import operator
import os
import posix
import sys
import weakref

from . import report


def seal() -> None:
    """Done once, when the component is built: keeps only those exit handlers that can matter.

    The library registers some for processes and threads, which no program here has.
    """
    atexit._clear()
    atexit.register(_close_logs, len(logging._handlerList))
    if weakref.finalize._registered_with_atexit:
        atexit.register(weakref.finalize._exitfunc)


def install() -> None:
    """Has `os._exit` say its status."""
    os._exit = posix._exit = _exit


def _exit(status):
    """Exit to the system with specified status, without normal exit processing."""
    # As the system keeps it: eight bits.
    status = operator.index(status) & 0xFF
    if status:
        report.left(status)
    _leave(status)


_leave = posix._exit


def _close_logs(before: int) -> None:
    """What logging does at exit, where a program made a handler at all."""
    if len(logging._handlerList) > before:
        logging.shutdown()


def finish(main, failure):
    """Ends a program: its exit handlers, its objects, its streams. Gives why it failed, if it did."""
    # Handlers report their own errors to standard error and never change the exit status.
    atexit._run_exitfuncs()
    forget(main)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            if failure is None and stream is sys.stdout:
                failure = report.plain(f"{type(error).__name__}: {error} (while writing standard output at the end)")
        except Exception:
            # The program closed it, or put something else in its place.
            pass
    for stream in (sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    return failure


def forget(main) -> None:
    """Lets the program's objects go, so that finalizers run and unawaited coroutines are named.

    Two passes over the module, private names first, as CPython clears it.
    """
    names = main.__dict__
    for private in (True, False):
        for name in list(names):
            if name != "__builtins__" and (name.startswith("_") and not name.startswith("__")) is private:
                names[name] = None
    gc.collect()
