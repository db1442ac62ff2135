"""What the model reads after the turn: files, texts and documentation that a program shows."""

import enum
import os
from dataclasses import dataclass

from wit_world.imports import views as _bindings

from . import _host
from .files import ImageFile, TextFile, _contents

__all__ = ["ViewEntry", "ViewKind", "close", "current", "open_docs_view", "open_file", "open_text"]

__operations__ = {
    "open_file": "views.open_file",
    "open_text": "views.open_text",
    "open_docs_view": "views.open_docs_view",
    "close": "views.close",
    "current": "views.current",
}


class ViewKind(enum.StrEnum):
    """What a view shows."""

    FILE = "file"
    """A window of a file."""
    TEXT = "text"
    """A text of a program."""
    DOCS = "docs"
    """The documentation of a call or a type."""
    SEARCH_RESULTS = "search-results"
    """What a search of the documentation found."""


@dataclass(frozen=True, slots=True)
class ViewEntry:
    """An open view."""

    kind: ViewKind
    """What it shows."""
    selector: str
    """Its name, by which `close` takes it: a path, a label or a key."""
    tokens: int
    """About how many tokens it takes of the model's window."""
    region: str | None
    """The lines of the file that it shows; `None` for the whole file and for other kinds."""


def open_file(
    path: str | os.PathLike[str], *, offset: int | None = None, limit: int | None = None
) -> TextFile | ImageFile:
    """Reads a window of a file and shows it to the model after the turn.

    Args:
        path: The file, relative to the tree.
        offset: The first line to show, counted from 1; the file's first where left out.
        limit: How many lines to show; as many as the byte cap allows where left out.

    Returns:
        The window of a text file, or what is known of a picture.

    Raises:
        ApiError: `not-found` where there is no such file, `invalid-argument` for a
            directory or a path outside the tree, `io-error` where it cannot be read.
    """
    name = "views.open_file"
    return _contents(
        _host.call(
            _bindings.open_file,
            _host.path(name, "path", path),
            _host.optional_u32(name, "offset", offset),
            _host.optional_u32(name, "limit", limit),
        )
    )


def open_text(label: str, body: str) -> None:
    """Shows a text to the model after the turn; the same label replaces an earlier one.

    Args:
        label: The name of the view, at most 200 bytes.
        body: The text, at most 65,536 bytes.

    Raises:
        ApiError: `limit-exceeded` for a label or a text that is too long: nothing is ever
            cut, so show a part of it or write it to a file.
    """
    name = "views.open_text"
    _host.call(_bindings.open_text, _host.text(name, "label", label), _host.text(name, "body", body))


def open_docs_view(name: str) -> None:
    """Shows the documentation of a call or a type to the model after the turn.

    Args:
        name: The full name, such as `files.read_file`, or the bare one where it is unique.

    Raises:
        ApiError: `not-found` where nothing is called so; the message lists near names.
    """
    _host.call(_bindings.open_docs_view, _host.text("views.open_docs_view", "name", name))


def close(selector: str) -> int:
    """Closes the views that have a selector, so that the model reads them no more.

    Args:
        selector: The path, label or key that `current` gives.

    Returns:
        How many views were closed.

    Raises:
        ApiError: `unavailable` where this agent may not close views.
    """
    return _host.call(_bindings.close, _host.text("views.close", "selector", selector))


def current() -> list[ViewEntry]:
    """Lists the open views and what they take of the model's window.

    Returns:
        The open views, in the order in which the model reads them.

    Raises:
        ApiError: `unavailable` where this agent does not manage its window.
    """
    return [
        ViewEntry(
            kind=_host.from_host(ViewKind, entry.kind),
            selector=entry.selector,
            tokens=entry.tokens,
            region=entry.region,
        )
        for entry in _host.call(_bindings.current)
    ]
