"""The documentation of what this agent can call."""

import enum
from dataclasses import dataclass

from wit_world.imports import docs as _bindings

from . import _host

__all__ = ["DocHit", "DocPage", "EntryKind", "close", "close_all", "search"]

__operations__ = {"search": "docs.search", "close": "docs.close", "close_all": "docs.close_all"}


class EntryKind(enum.StrEnum):
    """What an entry of the documentation describes."""

    OPERATION = "operation"
    """A call."""
    TYPE = "type"
    """A type that calls take or give."""
    MODULE = "module"
    """A module of calls."""
    ALIAS = "alias"
    """Another name of a call or a type."""


@dataclass(frozen=True, slots=True)
class DocHit:
    """An entry that matches a search."""

    key: str
    """Its full name, such as `files.read_file`; `views.open_docs_view` takes it."""
    kind: EntryKind
    """What it describes."""
    module: str
    """The module that it belongs to."""
    name: str
    """Its name within the module."""
    summary: str
    """What it does, in a sentence."""


@dataclass(frozen=True, slots=True)
class DocPage:
    """Some of the entries that match a search."""

    total: int
    """How many match in all."""
    offset: int
    """How many better ones come before this page."""
    hits: list[DocHit]
    """The entries, best first."""


def search(
    query: str = "",
    *,
    module: str | None = None,
    type: str | None = None,
    kind: EntryKind | None = None,
    offset: int | None = None,
    limit: int | None = None,
) -> DocPage:
    """Searches the documentation by what a call does, and shows what was found in the next turn.

    Args:
        query: What is wanted, in words; may be left out where a filter is given.
        module: Only entries of this module.
        type: Only calls that take or give this type.
        kind: Only entries of this kind.
        offset: How many of the best entries to pass over.
        limit: How many entries to give; 20 where left out, at most 100.

    Returns:
        A page of entries, best first.

    Raises:
        ApiError: `invalid-argument` where neither a query nor a filter is given.
    """
    name = "docs.search"
    query_record = _bindings.DocQuery(
        query=_host.text(name, "query", query),
        module=_host.optional_text(name, "module", module),
        type=_host.optional_text(name, "type", type),
        kind=None if kind is None else _host.member(name, "kind", EntryKind, kind, _bindings.EntryKind),
        offset=_host.optional_u32(name, "offset", offset),
        limit=_host.optional_u32(name, "limit", limit),
    )
    page = _host.call(_bindings.search, query_record)
    return DocPage(
        total=page.total,
        offset=page.offset,
        hits=[
            DocHit(
                key=hit.key,
                kind=_host.from_host(EntryKind, hit.kind),
                module=hit.module,
                name=hit.name,
                summary=hit.summary,
            )
            for hit in page.hits
        ],
    )


def close(key: str) -> int:
    """Closes a documentation view.

    Args:
        key: The full name of the entry that it shows.

    Returns:
        How many views were closed.

    Raises:
        ApiError: `unavailable` where this agent may not close them.
    """
    return _host.call(_bindings.close, _host.text("docs.close", "key", key))


def close_all() -> int:
    """Closes all documentation views.

    Returns:
        How many views were closed.

    Raises:
        ApiError: `unavailable` where this agent may not close them.
    """
    return _host.call(_bindings.close_all)
