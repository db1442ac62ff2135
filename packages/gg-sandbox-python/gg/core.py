"""The types that other modules name: the error of every call, and edits of optional values."""

import enum
from dataclasses import dataclass
from typing import Final

__all__ = ["KEEP", "ApiError", "ErrorCode", "Keep", "Usage"]


class ErrorCode(enum.StrEnum):
    """Why a call failed, in a form that a program can decide on."""

    INVALID_ARGUMENT = "invalid-argument"
    """An argument that can never be right: fix it."""
    NOT_FOUND = "not-found"
    """What was named does not exist."""
    CONFLICT = "conflict"
    """The state is not what the call needs: several matches, a cycle, a taken name."""
    REFUSED = "refused"
    """A rule about the agent's state forbids the call now."""
    UNAVAILABLE = "unavailable"
    """The call is not offered to this agent."""
    LIMIT_EXCEEDED = "limit-exceeded"
    """A ceiling was reached: a size, a time, a count."""
    IO_ERROR = "io-error"
    """The file system failed."""
    OTHER = "other"
    """Anything else."""


class ApiError(Exception):
    """A call to the host failed; every function of `gg` raises this and nothing else for it.

    Examples:
        >>> try:
        ...     notes = files.read_text_file("notes.md")
        ... except ApiError as error:
        ...     if error.code is not ErrorCode.NOT_FOUND:
        ...         raise
        ...     notes = ""
    """

    operation: str
    """The call that failed, as `module.name`."""
    code: ErrorCode
    """Why it failed."""
    message: str
    """What failed, where, and what to do next."""

    def __init__(self, operation: str, code: ErrorCode, message: str) -> None:
        """Makes an error from its three parts."""
        super().__init__(operation, code, message)
        self.operation = operation
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.operation} failed ({self.code}): {self.message}"


# A traceback names an error by its module, and a program knows this one as `gg.ApiError`.
ApiError.__module__ = "gg"


class Keep(enum.Enum):
    """The type of `KEEP`, for annotations."""

    KEEP = "keep"
    """Leave the value as it is."""

    def __repr__(self) -> str:
        return "KEEP"


KEEP: Final = Keep.KEEP
"""Leaves a value as it is, where `None` would remove it and any other value would set it."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How many there are now, and how many there may be."""

    count: int
    """How many there are after the call."""
    max: int | None
    """How many there may be; `None` where nothing bounds them."""
