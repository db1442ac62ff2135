"""Files of the agent's tree: read, write, edit, list and search them.

Paths are relative to the tree; `/work/…` means the same. The tree is also the current
directory, so `open()` and `pathlib` reach the same files where the profile allows it.
"""

import enum
import os
from dataclasses import dataclass

from wit_world.imports import files as _bindings

from . import _host

__all__ = [
    "DirEntry",
    "EntryKind",
    "ImageFile",
    "SearchMatch",
    "TextFile",
    "edit_file",
    "list_dir",
    "read_file",
    "read_text_file",
    "search",
    "write_file",
]

__operations__ = {
    "read_file": "files.read_file",
    "read_text_file": "files.read_text_file",
    "write_file": "files.write_file",
    "edit_file": "files.edit_file",
    "list_dir": "files.list_dir",
    "search": "files.search",
}


@dataclass(frozen=True, slots=True)
class TextFile:
    """A window of lines of a text file."""

    contents: str
    """The text of the window."""
    first_line: int
    """Number of the window's first line, counted from 1; 0 where the window is empty."""
    last_line: int
    """Number of the window's last line, counted from 1; 0 where the window is empty."""
    total_lines: int
    """How many lines the whole file has."""
    byte_truncated: bool
    """Whether the window was cut at the byte cap: go on reading at `last_line + 1`."""


@dataclass(frozen=True, slots=True)
class ImageFile:
    """A picture, recognised by its first bytes."""

    media_type: str
    """Its media type, such as `image/png`."""
    label: str
    """The label under which the model is shown the picture."""
    bytes: int
    """Its size in bytes."""
    shown: bool
    """Whether the model is shown the picture."""
    not_shown_reason: str | None
    """Why it is not shown; `None` where it is."""


class EntryKind(enum.StrEnum):
    """What an entry of a directory is."""

    FILE = "file"
    """A regular file."""
    DIRECTORY = "directory"
    """A directory."""
    OTHER = "other"
    """Anything else, such as a symbolic link."""


@dataclass(frozen=True, slots=True)
class DirEntry:
    """One entry of a directory."""

    name: str
    """Its name, without the directory."""
    kind: EntryKind
    """What it is."""


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """One line that matches a search."""

    path: str
    """The file, relative to the tree."""
    line: int
    """The number of the line, counted from 1."""
    text: str
    """The line."""


def _contents(raw: object) -> TextFile | ImageFile:
    value = raw.value
    if isinstance(raw, _bindings.FileContents_Text):
        return TextFile(
            contents=value.contents,
            first_line=value.first_line,
            last_line=value.last_line,
            total_lines=value.total_lines,
            byte_truncated=value.byte_truncated,
        )
    return ImageFile(
        media_type=value.media_type,
        label=value.label,
        bytes=value.bytes,
        shown=value.shown,
        not_shown_reason=value.not_shown_reason,
    )


def read_file(
    path: str | os.PathLike[str], *, offset: int | None = None, limit: int | None = None
) -> TextFile | ImageFile:
    """Reads a window of lines of a text file, or recognises a picture by its first bytes.

    Args:
        path: The file, relative to the tree.
        offset: The first line to read, counted from 1; the file's first where left out.
        limit: How many lines to read; as many as the byte cap allows where left out.

    Returns:
        The window of a text file, or what is known of a picture.

    Raises:
        ApiError: `not-found` where there is no such file, `invalid-argument` for a
            directory or a path outside the tree, `io-error` where it cannot be read.
    """
    name = "files.read_file"
    return _contents(
        _host.call(
            _bindings.read_file,
            _host.path(name, "path", path),
            _host.optional_u32(name, "offset", offset),
            _host.optional_u32(name, "limit", limit),
        )
    )


def read_text_file(path: str | os.PathLike[str], *, offset: int | None = None, limit: int | None = None) -> str:
    """Reads a window of lines of a text file as one string.

    Args:
        path: The file, relative to the tree.
        offset: The first line to read, counted from 1; the file's first where left out.
        limit: How many lines to read; as many as the byte cap allows where left out.

    Returns:
        The text of the window.

    Raises:
        ApiError: `not-found` where there is no such file, `invalid-argument` for a
            picture, a directory or a path outside the tree, `io-error` where it cannot be read.
    """
    name = "files.read_text_file"
    return _host.call(
        _bindings.read_text_file,
        _host.path(name, "path", path),
        _host.optional_u32(name, "offset", offset),
        _host.optional_u32(name, "limit", limit),
    )


def write_file(path: str | os.PathLike[str], contents: str) -> int:
    """Writes a whole text file, making the directories that it needs.

    Args:
        path: The file, relative to the tree; one that exists is replaced.
        contents: The whole text, written as UTF-8.

    Returns:
        How many bytes were written.

    Raises:
        ApiError: `invalid-argument` for a path outside the tree, `limit-exceeded` where
            the tree would grow too large, `io-error` where it cannot be written.
    """
    name = "files.write_file"
    return _host.call(_bindings.write_file, _host.path(name, "path", path), _host.text(name, "contents", contents))


def edit_file(path: str | os.PathLike[str], old: str, new: str) -> None:
    """Replaces the one occurrence of a text in a file.

    Args:
        path: The file, relative to the tree.
        old: The text to replace, exactly as it stands; it must occur once.
        new: The text to put in its place.

    Raises:
        ApiError: `not-found` where the file or the text is missing, `conflict` where the
            text occurs several times (the message says how often).
    """
    name = "files.edit_file"
    _host.call(
        _bindings.edit_file,
        _host.path(name, "path", path),
        _host.text(name, "old", old),
        _host.text(name, "new", new),
    )


def list_dir(path: str | os.PathLike[str] | None = None) -> list[DirEntry]:
    """Lists the entries of a directory, by name.

    Args:
        path: The directory, relative to the tree; the tree itself where left out.

    Returns:
        The entries, sorted by name; an empty list for an empty directory.

    Raises:
        ApiError: `not-found` where there is no such directory, `invalid-argument` where
            the path names a file or leads outside the tree.
    """
    name = "files.list_dir"
    raw = _host.call(_bindings.list_dir, _host.optional_path(name, "path", path))
    return [DirEntry(name=entry.name, kind=_host.from_host(EntryKind, entry.kind)) for entry in raw]


def search(
    query: str, *, path: str | os.PathLike[str] | None = None, limit: int | None = None
) -> list[SearchMatch]:
    """Searches the lines of files by a regular expression.

    What `.gitignore` names and binary files are skipped. The expression has the syntax of
    Rust's `regex` crate: no look-around and no back-references.

    Args:
        query: The regular expression.
        path: The directory or file to search in, relative to the tree; the whole tree where left out.
        limit: How many matches to give at most.

    Returns:
        The lines that match, by path and line.

    Raises:
        ApiError: `invalid-argument` for a bad expression (the message says where),
            `not-found` where there is no such path.
    """
    name = "files.search"
    raw = _host.call(
        _bindings.search,
        _host.text(name, "query", query),
        _host.optional_path(name, "path", path),
        _host.optional_u32(name, "limit", limit),
    )
    return [SearchMatch(path=match.path, line=match.line, text=match.text) for match in raw]
