"""The one place where the SDK meets the host: arguments in, results and errors out.

A value of the wrong type must be refused here, in the program's own words: past this
point the bindings would end the whole program by a trap.
"""

import enum
import os
from collections.abc import Callable, Iterable
from typing import TypeVar

from componentize_py_types import Err
from wit_world.imports import core as _core

from .core import KEEP, ApiError, ErrorCode, Usage

U32_MAX = 2**32 - 1

E = TypeVar("E", bound=enum.StrEnum)


def call(function: Callable, *arguments):
    """Calls the host; its error becomes an `ApiError` with no trace of the bindings."""
    try:
        return function(*arguments)
    except Err as failed:
        raw = failed.value
    raise ApiError(raw.operation, from_host(ErrorCode, raw.code), raw.message)


def from_host(kind: type[E], value: enum.Enum) -> E:
    """The SDK's member for a member of the bindings."""
    return kind[value.name]


def usage(raw) -> Usage:
    """The SDK's form of a usage."""
    return Usage(count=raw.count, max=raw.max)


def text(call_name: str, name: str, value: object) -> str:
    """A string argument.

    A lone surrogate cannot travel, so it raises the UnicodeEncodeError that writing it would.
    """
    if not isinstance(value, str):
        raise wrong_type(call_name, name, "a str", value)
    if not value.isascii():
        value.encode()
    # A subclass may override what the bindings use to read it.
    return value if type(value) is str else str.__str__(value)


def optional_text(call_name: str, name: str, value: object) -> str | None:
    """A string argument that may be left out."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise wrong_type(call_name, name, "a str or None", value)
    return text(call_name, name, value)


def path(call_name: str, name: str, value: object) -> str:
    """A path: a string or an `os.PathLike` that gives one."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        raise wrong_type(call_name, name, "a str or os.PathLike[str]", value)
    return text(call_name, name, value)


def optional_path(call_name: str, name: str, value: object) -> str | None:
    """A path that may be left out."""
    return None if value is None else path(call_name, name, value)


def u32(call_name: str, name: str, value: object) -> int:
    """A count that fits 32 bits."""
    # True is an int to Python, never a line number to a reader.
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise wrong_type(call_name, name, "an int", value)
    number = value.__index__()
    if not 0 <= number <= U32_MAX:
        raise ValueError(f"{call_name}() argument {name!r} must be between 0 and {U32_MAX}, not {number}")
    return number


def optional_u32(call_name: str, name: str, value: object) -> int | None:
    """A count that may be left out."""
    return None if value is None else u32(call_name, name, value)


def texts(call_name: str, name: str, value: object) -> list[str]:
    """Several strings, from any iterable but a string (which would fall into letters)."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise wrong_type(call_name, name, "an iterable of str, such as a list", value)
    items = list(value)
    for index, item in enumerate(items):
        items[index] = text(call_name, f"{name}[{index}]", item)
    return items


def paths(call_name: str, name: str, value: object) -> list[str]:
    """Several paths, from any iterable but a string."""
    if isinstance(value, str | bytes | os.PathLike) or not isinstance(value, Iterable):
        raise wrong_type(call_name, name, "an iterable of paths, such as a list", value)
    return [path(call_name, f"{name}[{index}]", item) for index, item in enumerate(value)]


def member(call_name: str, name: str, kind: type[E], value: object, host_kind: type[enum.Enum]) -> enum.Enum:
    """A member of an enumeration, or its value, as the bindings know it."""
    if not isinstance(value, str):
        raise wrong_type(call_name, name, f"a {kind.__name__}", value)
    try:
        return host_kind[kind(value).name]
    except ValueError:
        choices = ", ".join(repr(choice.value) for choice in kind)
        raise ValueError(f"{call_name}() argument {name!r} must be one of {choices}, not {value!r}") from None


def text_edit(call_name: str, name: str, value: object):
    """An edit of an optional text: `KEEP` leaves it, `None` removes it, a string sets it."""
    if value is KEEP:
        return _core.TextEdit_Keep()
    if value is None:
        return _core.TextEdit_Clear()
    if not isinstance(value, str):
        raise wrong_type(call_name, name, "a str, None or KEEP", value)
    return _core.TextEdit_Set(text(call_name, name, value))


def wrong_type(call_name: str, name: str, wanted: str, value: object) -> TypeError:
    """The error for an argument of the wrong type."""
    return TypeError(f"{call_name}() argument {name!r} must be {wanted}, not {type(value).__name__}")
