"""An event loop for one thread without sockets: it sleeps, and knows when nothing can wake it."""

import asyncio
import asyncio.unix_events
import selectors
import sys
import time

from . import refusals


class DeadlockError(RuntimeError):
    """Nothing is left that could wake the program."""


class _Clock(selectors.BaseSelector):
    """A selector with nothing to select: only time passes."""

    def register(self, fileobj, events, data=None):
        raise PermissionError("there are no sockets here: a program reaches nothing over a network")

    unregister = register

    def select(self, timeout=None):
        if timeout is None:
            raise DeadlockError(_waiting())
        if timeout > 0:
            time.sleep(timeout)
        return []

    def get_map(self):
        return {}

    def close(self):
        pass


class SelectorEventLoop(asyncio.selector_events.BaseSelectorEventLoop):
    """asyncio's loop over the clock alone: other threads, which it would need a socket for, are not there."""

    def __init__(self, selector=None):
        super().__init__(_Clock())

    def _make_self_pipe(self):
        pass

    def _close_self_pipe(self):
        pass

    def _write_to_self(self):
        pass

    def run_in_executor(self, executor, func, *args):
        """Refuses before a pool of threads is made, which the loop could not shut down again."""
        if executor is None:
            refusals.no_thread()
        return super().run_in_executor(executor, func, *args)


def _waiting() -> str:
    """Says which tasks wait, and where."""
    lines = ["deadlock: every task waits, and nothing is left that could wake one"]
    for task in sorted(asyncio.all_tasks(), key=lambda task: task.get_name()):
        stack = task.get_stack(limit=1)
        where = ""
        if stack:
            frame = stack[-1]
            where = f" at {frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"
        lines.append(f"  {task.get_name()} waits{where}")
    return "\n".join(lines)


def install() -> None:
    """Makes it the loop that `asyncio.run` and its relatives make."""
    SelectorEventLoop.__module__ = "asyncio.unix_events"
    SelectorEventLoop.__qualname__ = SelectorEventLoop.__name__ = "_UnixSelectorEventLoop"
    # It reads as what asyncio itself raises where a loop cannot go on.
    DeadlockError.__module__ = "builtins"
    DeadlockError.__qualname__ = DeadlockError.__name__ = "RuntimeError"
    unix = sys.modules["asyncio.unix_events"]
    unix._UnixSelectorEventLoop = SelectorEventLoop
    unix._DefaultEventLoopPolicy._loop_factory = SelectorEventLoop
    for module in (asyncio, unix):
        module.SelectorEventLoop = module.EventLoop = SelectorEventLoop
