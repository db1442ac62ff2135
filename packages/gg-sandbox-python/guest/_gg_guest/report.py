"""Why a program failed: the text that its author reads, and the facts beside it."""

import re
import sys
import traceback
from types import TracebackType

from wit_world.imports import core as _core
from wit_world.imports import feedback as _feedback

from . import loop

BUNDLED = ("/0/", "/1/", "/world/", "/bundled/")
"""Where the shim, the SDK and the bindings lay when the component was built."""

INTERNAL = "<frozen importlib._bootstrap>"
"""The file name by which CPython knows frames of its own.

It drops them from the traceback of a failed import, and passes over them when a warning
looks for the line that it is about.
"""

MESSAGE_CHARS = 256 * 1024
"""How much of a text travels: an error may carry all that the program read."""

HEAD, TAIL = 20, 20
"""How many entries of a traceback are told, from its start and from its end."""

_ApiError: type[BaseException] = Exception
_hidden: set[str] = set()

_reserve: list[bytearray] = []
"""Memory to let go when there is none left, so that the error can still be told."""


def prepare(gg) -> None:
    """Done once, when the component is built."""
    global _ApiError
    _ApiError = gg.ApiError
    _hidden.update(
        file
        for module in list(sys.modules.values())
        if (file := getattr(module, "__file__", None)) and file.startswith(BUNDLED)
    )
    _hidden.add(INTERNAL)
    for name, module in sys.modules.items():
        if _is_gg(name):
            _hide_path(module)
    _reserve.append(bytearray(1 << 20))
    sys.unraisablehook = unraisable


def _is_gg(module: object) -> bool:
    return isinstance(module, str) and module.partition(".")[0] == "gg"


def _hide_path(module) -> None:
    """Makes a module of the SDK look built in: where it lay says nothing, and nothing is there any more."""
    spec = module.__spec__
    spec.has_location = False
    spec.origin = "built-in"
    spec.cached = None
    for name in ("__file__", "__cached__"):
        module.__dict__.pop(name, None)
    if spec.submodule_search_locations is not None:
        spec.submodule_search_locations = module.__path__ = []


def disguise(*functions) -> None:
    """Makes the frames of functions count as CPython's own."""
    for function in functions:
        function.__code__ = function.__code__.replace(co_filename=INTERNAL)


def unraisable(problem) -> None:
    """Says what CPython says of an error that nobody can catch, with the program's source lines.

    The interpreter's own hook looks for the lines in files; the program is none.
    """
    file = sys.stderr
    if file is None:
        return
    if problem.object is not None:
        print(f"{problem.err_msg or 'Exception ignored in'}: {problem.object!r}", file=file)
    elif problem.err_msg:
        print(f"{problem.err_msg}:", file=file)
    trace = _kept(problem.exc_traceback)
    traceback.print_exception(problem.exc_type, problem.exc_value, trace, file=file)


def plain(message: str) -> _feedback.Failure:
    """A failure without a place."""
    return _failure(_feedback.FailureKind.ERROR, message)


def send(failure: _feedback.Failure) -> None:
    """Tells the host."""
    _feedback.error(failure)


def left(status: int) -> None:
    """Tells the host of a status that the program is about to leave with: WASI itself tells only 0 from the rest."""
    send(_failure(_feedback.FailureKind.EXIT, f"The program left with status {status}.", exit_code=status))


def failure(error: BaseException, name: str) -> _feedback.Failure | None:
    """What to report of an uncaught error; None where it is an exit with status 0."""
    if isinstance(error, (MemoryError, RecursionError)):
        _reserve.clear()
    _strip(error)
    if isinstance(error, SystemExit):
        return _exit(error)
    kind, code = _kind(error)
    if kind is _feedback.FailureKind.DEADLOCK:
        text, place = _deadlock(error, name)
    else:
        text, place = _text(error), _place(error, name)
    _hook(error)
    return _failure(kind, text, code=code, location=place)


def _failure(kind, message, *, code=None, exit_code=None, location=None) -> _feedback.Failure:
    # A lone surrogate cannot travel; it is shown as Python's own standard error shows it.
    message = message.removesuffix("\n")
    if len(message) > MESSAGE_CHARS:
        half = MESSAGE_CHARS // 2
        message = f"{message[:half]}\n[... {len(message) - 2 * half} characters left out ...]\n{message[-half:]}"
    message = message.encode("utf-8", "backslashreplace").decode()
    return _feedback.Failure(kind=kind, code=code, exit_code=exit_code, message=message, location=location)


def _kind(error: BaseException):
    kinds = _feedback.FailureKind
    if isinstance(error, _ApiError):
        name = getattr(error.code, "name", "OTHER")
        return kinds.API_ERROR, _core.ErrorCode[name] if name in _core.ErrorCode.__members__ else _core.ErrorCode.OTHER
    if isinstance(error, NameError) and not isinstance(error, UnboundLocalError):
        return kinds.UNKNOWN_NAME, None
    if isinstance(error, ImportError) and _is_gg(error.name):
        # A module that the SDK does not have, or a name that one of its modules does not have.
        if isinstance(error, ModuleNotFoundError) or error.name_from is not None:
            return kinds.UNKNOWN_NAME, None
    if isinstance(error, MemoryError):
        # The parser says so of brackets nested by the thousand; it is its stack that ran out.
        parser = str(error).startswith("Parser stack overflowed")
        return kinds.STACK_OVERFLOW if parser else kinds.OUT_OF_MEMORY, None
    if isinstance(error, RecursionError):
        return kinds.STACK_OVERFLOW, None
    if isinstance(error, loop.DeadlockError):
        return kinds.DEADLOCK, None
    return kinds.ERROR, None


def _exit(error: SystemExit) -> _feedback.Failure | None:
    status = error.code
    if status is None:
        return None
    if isinstance(status, int):
        # As the system keeps it: eight bits.
        status = int(status) & 0xFF
        text = f"SystemExit: {error.code}"
    else:
        text = str(status)
        print(text, file=sys.stderr)
        status = 1
    return _failure(_feedback.FailureKind.EXIT, text, exit_code=status) if status else None


def _text(error: BaseException) -> str:
    try:
        told = traceback.TracebackException.from_exception(error)
        _bound(told)
        return "".join(told.format())
    except MemoryError:
        return f"{type(error).__name__}\n"


class _BoundedStack(traceback.StackSummary):
    """The entries of a stack, the middle of a long one left out."""

    def format(self, **options):
        entries = super().format(**options)
        if len(entries) <= HEAD + TAIL:
            return entries
        left_out = sum(_frames(entry) for entry in entries[HEAD:-TAIL])
        return [*entries[:HEAD], f"  [… {left_out} more frames …]\n", *entries[-TAIL:]]


def _frames(entry: str) -> int:
    """How many frames an entry stands for: CPython folds those that repeat the one before."""
    folded = re.match(r"  \[Previous line repeated (\d+) more times?\]$", entry)
    return int(folded[1]) if folded else 1


def _bound(told: traceback.TracebackException) -> None:
    """Bounds the stacks of an error and of all that it carries."""
    waiting: list[traceback.TracebackException | None] = [told]
    while waiting:
        current = waiting.pop()
        if current is None:
            continue
        if current.stack is not None:
            current.stack.__class__ = _BoundedStack
        waiting += (current.__cause__, current.__context__, *(current.exceptions or ()))


def _deadlock(error: BaseException, name: str):
    """The program's own frames only: how asyncio came to wait says nothing."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
    stack = _BoundedStack(frames)
    text = "Traceback (most recent call last):\n" + "".join(stack.format()) if frames else ""
    text += "".join(traceback.format_exception_only(error))
    return text, _location(frames[-1]) if frames else None


def _place(error: BaseException, name: str) -> _feedback.Location | None:
    if isinstance(error, SyntaxError) and error.filename == name and error.lineno:
        return _feedback.Location(line=error.lineno, column=error.offset if (error.offset or 0) > 0 else None)
    frames = [found for found in traceback.extract_tb(error.__traceback__) if found.filename == name]
    return _location(frames[-1]) if frames else None


def _location(frame: traceback.FrameSummary) -> _feedback.Location:
    column = None
    if frame.colno is not None and frame._original_lines:
        column = traceback._byte_offset_to_character_offset(frame._original_lines.split("\n")[0], frame.colno) + 1
    return _feedback.Location(line=frame.lineno or 1, column=column)


def _hook(error: BaseException) -> None:
    """Runs the hook of a program that set one; it may print what it likes."""
    if sys.excepthook is not sys.__excepthook__:
        try:
            sys.excepthook(type(error), error, error.__traceback__)
        except BaseException as failed:
            traceback.print_exception(failed, file=sys.stderr)


def _strip(error: BaseException) -> None:
    """Drops the shim's and the SDK's frames, and the SDK's place, from an error and from all that it carries."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        current = waiting.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        current.__traceback__ = _kept(current.__traceback__)
        if isinstance(current, ImportError) and _is_gg(current.name) and isinstance(current.msg, str):
            current.msg = current.msg.removesuffix(" (unknown location)")
        waiting += (current.__cause__, current.__context__)
        if isinstance(current, BaseExceptionGroup):
            waiting += current.exceptions


def _kept(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_frame.f_code.co_filename in _hidden:
        trace = trace.tb_next
    last = trace
    while last is not None:
        following = last.tb_next
        while following is not None and following.tb_frame.f_code.co_filename in _hidden:
            following = following.tb_next
        last.tb_next = following
        last = following
    return trace
