"""What an agent keeps across turns: named texts, some with code."""

from collections.abc import Iterable
from dataclasses import dataclass

from wit_world.imports import memories as _bindings

from . import _host

__all__ = [
    "MemoryHit",
    "MemoryUsage",
    "create_memory",
    "delete_memory",
    "edit_memory",
    "read_memory",
    "search_memories",
    "update_memory",
    "write_memory",
]

__operations__ = {
    "write_memory": "memories.write_memory",
    "update_memory": "memories.update_memory",
    "create_memory": "memories.create_memory",
    "read_memory": "memories.read_memory",
    "edit_memory": "memories.edit_memory",
    "search_memories": "memories.search_memories",
    "delete_memory": "memories.delete_memory",
}


@dataclass(frozen=True, slots=True)
class MemoryUsage:
    """How much is remembered, and how much may be."""

    count: int
    """How many memories there are."""
    max: int | None
    """How many there may be; `None` where nothing bounds them."""
    chars: int
    """How many characters they hold together."""
    max_chars: int | None
    """How many they may hold; `None` where nothing bounds them."""
    index_chars: int | None
    """How many characters their index takes; `None` where there is no index."""
    max_index_chars: int | None
    """How many it may take; `None` where nothing bounds it."""


@dataclass(frozen=True, slots=True)
class MemoryHit:
    """A memory that matches a search."""

    name: str
    """Its name."""
    description: str
    """What it is about."""
    matched: list[str]
    """The keywords that were found in it."""
    occurrences: int
    """How often they occur."""
    excerpt: str
    """The text around the first of them."""


def write_memory(
    name: str, description: str, body: str, *, code: str | None = None, on_use: str | None = None
) -> MemoryUsage:
    """Writes a new memory on the scratchpad that the agent always reads.

    Args:
        name: The name by which it is reached.
        description: What it is about, in a line.
        body: The text to remember.
        code: A module in the agent's own language, loaded when the memory is used.
        on_use: A program that runs after each program that used the memory.

    Returns:
        How much is remembered now.

    Raises:
        ApiError: `conflict` where the name is taken, `limit-exceeded` where a bound is reached.
    """
    memory = _memory("memories.write_memory", name, description, body, code, on_use)
    return _usage(_host.call(_bindings.write_memory, memory))


def update_memory(
    name: str, description: str, body: str, *, code: str | None = None, on_use: str | None = None
) -> MemoryUsage:
    """Replaces a memory of the scratchpad as a whole.

    Args:
        name: The memory.
        description: What it is about, in a line.
        body: The text to remember.
        code: A module in the agent's own language; none where left out.
        on_use: A program that runs after each program that used the memory; none where left out.

    Returns:
        How much is remembered now.

    Raises:
        ApiError: `not-found` where there is no such memory, `limit-exceeded` where a
            bound is reached.
    """
    memory = _memory("memories.update_memory", name, description, body, code, on_use)
    return _usage(_host.call(_bindings.update_memory, memory))


def create_memory(
    name: str, description: str, body: str, *, code: str | None = None, on_use: str | None = None
) -> MemoryUsage:
    """Makes a memory whose description the agent sees and whose body it reads on demand.

    Args:
        name: The name by which it is reached.
        description: What it is about, in a line.
        body: The text to remember.
        code: A module in the agent's own language, loaded when the memory is read.
        on_use: A program that runs after each program that used the memory.

    Returns:
        How much is remembered now.

    Raises:
        ApiError: `conflict` where the name is taken, `limit-exceeded` where a bound is reached.
    """
    memory = _memory("memories.create_memory", name, description, body, code, on_use)
    return _usage(_host.call(_bindings.create_memory, memory))


def read_memory(name: str) -> str:
    """Reads the body of a memory, and loads its code where it has some.

    Args:
        name: The memory.

    Returns:
        The text that was remembered.

    Raises:
        ApiError: `not-found` where there is no such memory.
    """
    return _host.call(_bindings.read_memory, _host.text("memories.read_memory", "name", name))


def edit_memory(name: str, search: str, replace: str) -> MemoryUsage:
    """Replaces the one occurrence of a text in a memory's body.

    Args:
        name: The memory.
        search: The text to replace, exactly as it stands; it must occur once.
        replace: The text to put in its place.

    Returns:
        How much is remembered now.

    Raises:
        ApiError: `not-found` where the memory or the text is missing, `conflict` where
            the text occurs several times, `limit-exceeded` where a bound is reached.
    """
    call_name = "memories.edit_memory"
    return _usage(
        _host.call(
            _bindings.edit_memory,
            _host.text(call_name, "name", name),
            _host.text(call_name, "search", search),
            _host.text(call_name, "replace", replace),
        )
    )


def search_memories(keywords: Iterable[str]) -> list[MemoryHit]:
    """Finds memories by keywords.

    Args:
        keywords: The words to look for, at least one.

    Returns:
        The memories in which a keyword occurs, best first.

    Raises:
        ApiError: `invalid-argument` where no keyword is given.
    """
    raw = _host.call(_bindings.search_memories, _host.texts("memories.search_memories", "keywords", keywords))
    return [
        MemoryHit(
            name=hit.name,
            description=hit.description,
            matched=list(hit.matched),
            occurrences=hit.occurrences,
            excerpt=hit.excerpt,
        )
        for hit in raw
    ]


def delete_memory(name: str) -> MemoryUsage:
    """Deletes a memory.

    Args:
        name: The memory.

    Returns:
        How much is remembered now.

    Raises:
        ApiError: `not-found` where there is no such memory.
    """
    return _usage(_host.call(_bindings.delete_memory, _host.text("memories.delete_memory", "name", name)))


def _memory(call_name: str, name: object, description: object, body: object, code: object, on_use: object):
    return _bindings.Memory(
        name=_host.text(call_name, "name", name),
        description=_host.text(call_name, "description", description),
        body=_host.text(call_name, "body", body),
        code=_host.optional_text(call_name, "code", code),
        on_use=_host.optional_text(call_name, "on_use", on_use),
    )


def _usage(raw: object) -> MemoryUsage:
    return MemoryUsage(
        count=raw.count,
        max=raw.max,
        chars=raw.chars,
        max_chars=raw.max_chars,
        index_chars=raw.index_chars,
        max_index_chars=raw.max_index_chars,
    )
