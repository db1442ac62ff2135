"""What the model's window holds: evict, archive, search the archive, compact."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from wit_world.imports import context as _bindings

from . import _host

__all__ = [
    "ArchiveHit",
    "ArchivePage",
    "Reclaimed",
    "TurnRange",
    "archive_thread",
    "compact",
    "evict_file_view",
    "search_archive",
]

__operations__ = {
    "evict_file_view": "context.evict_file_view",
    "archive_thread": "context.archive_thread",
    "search_archive": "context.search_archive",
    "compact": "context.compact",
}


@dataclass(frozen=True, slots=True)
class TurnRange:
    """Some turns in a row."""

    first: int
    """The first turn."""
    last: int
    """The last turn, which belongs to the range."""


@dataclass(frozen=True, slots=True)
class Reclaimed:
    """What was taken out of the window."""

    items: int
    """How many items were taken out."""
    reclaimed_tokens: int
    """About how many tokens that frees."""
    paths: list[str]
    """The files whose views were among them."""
    detail: str
    """What was done, in a sentence."""


@dataclass(frozen=True, slots=True)
class ArchiveHit:
    """A message of the archive that matches a search."""

    seq: int
    """Its number in the order of the conversation."""
    role: str
    """Who wrote it."""
    text: str
    """What it says."""


@dataclass(frozen=True, slots=True)
class ArchivePage:
    """What a search of the archive found."""

    archive_empty: bool
    """Whether nothing has been archived yet."""
    hits: list[ArchiveHit]
    """The messages that match, at most eight."""


def evict_file_view(path: str | os.PathLike[str] | None = None) -> Reclaimed:
    """Takes the views of files out of the window.

    Args:
        path: The file whose views go; those of all files where left out.

    Returns:
        What was taken out.

    Raises:
        ApiError: `unavailable` where this agent does not manage its window.
    """
    return _reclaimed(
        _host.call(_bindings.evict_file_view, _host.optional_path("context.evict_file_view", "path", path))
    )


def archive_thread(ranges: Iterable[TurnRange]) -> Reclaimed:
    """Moves turns out of the window into the archive, where `search_archive` finds them.

    Args:
        ranges: The turns to move.

    Returns:
        What was taken out.

    Raises:
        ApiError: `invalid-argument` for a range that ends before it begins or that names
            turns which do not exist.
    """
    name = "context.archive_thread"
    if not isinstance(ranges, Iterable):
        raise _host.wrong_type(name, "ranges", "an iterable of TurnRange, such as a list", ranges)
    raw = []
    for index, turns in enumerate(ranges):
        if not isinstance(turns, TurnRange):
            raise _host.wrong_type(name, f"ranges[{index}]", "a TurnRange", turns)
        raw.append(
            _bindings.TurnRange(
                first=_host.u32(name, f"ranges[{index}].first", turns.first),
                last=_host.u32(name, f"ranges[{index}].last", turns.last),
            )
        )
    return _reclaimed(_host.call(_bindings.archive_thread, raw))


def search_archive(query: str) -> ArchivePage:
    """Searches the turns that were archived.

    Args:
        query: What to look for, in words.

    Returns:
        The messages that match best, at most eight.

    Raises:
        ApiError: `invalid-argument` for an empty query.
    """
    page = _host.call(_bindings.search_archive, _host.text("context.search_archive", "query", query))
    return ArchivePage(
        archive_empty=page.archive_empty,
        hits=[ArchiveHit(seq=hit.seq, role=hit.role, text=hit.text) for hit in page.hits],
    )


def compact(summary: str, files: Iterable[str | os.PathLike[str]] = ()) -> None:
    """Replaces the conversation so far by a summary when the turn closes; the last call stands.

    Args:
        summary: What must not be forgotten.
        files: The files to show beside the summary, relative to the tree.

    Raises:
        ApiError: `invalid-argument` for an empty summary, `not-found` for a missing file.
    """
    name = "context.compact"
    _host.call(_bindings.compact, _host.text(name, "summary", summary), _host.paths(name, "files", files))


def _reclaimed(raw: object) -> Reclaimed:
    return Reclaimed(
        items=raw.items, reclaimed_tokens=raw.reclaimed_tokens, paths=list(raw.paths), detail=raw.detail
    )
