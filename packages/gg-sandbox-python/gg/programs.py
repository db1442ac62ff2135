"""The programs that this agent has run."""

from dataclasses import dataclass

from wit_world.imports import programs as _bindings

from . import _host

__all__ = ["ProgramEntry", "get", "history", "rerun"]

__operations__ = {"history": "programs.history", "get": "programs.get", "rerun": "programs.rerun"}


@dataclass(frozen=True, slots=True)
class ProgramEntry:
    """A program that ran in an earlier turn."""

    turn: int
    """The turn in which it ran."""
    lines: int
    """How many lines it has."""
    chars: int
    """How many characters it has."""
    ok: bool
    """Whether it completed."""
    error: str | None
    """How it failed; `None` where it completed."""


def history() -> list[ProgramEntry]:
    """Lists the programs of earlier turns.

    Returns:
        The programs, oldest first.

    Raises:
        ApiError: `unavailable` where this agent has no library of programs.
    """
    return [
        ProgramEntry(turn=entry.turn, lines=entry.lines, chars=entry.chars, ok=entry.ok, error=entry.error)
        for entry in _host.call(_bindings.history)
    ]


def get(turn: int | None = None) -> str:
    """Gives the source of a program that ran.

    Args:
        turn: The turn in which it ran; the latest where left out.

    Returns:
        The source.

    Raises:
        ApiError: `not-found` where no program ran in that turn.
    """
    return _host.call(_bindings.get, _host.optional_u32("programs.get", "turn", turn))


def rerun(source: str) -> None:
    """Runs a program in place of this one once this one has ended without an error.

    The first hand-over of a program stands; a second one is refused.

    Args:
        source: The whole program, such as an edited `get()`.

    Raises:
        ApiError: `refused` where this program already hands over, `limit-exceeded` after
            four programs in one turn.
    """
    _host.call(_bindings.rerun, _host.text("programs.rerun", "source", source))
