"""How a session ends."""

from collections.abc import Iterable

from wit_world.imports import session as _bindings

from . import _host

__all__ = ["approve", "finish", "request_changes"]

__operations__ = {
    "finish": "session.finish",
    "approve": "session.approve",
    "request_changes": "session.request_changes",
}


def finish(summary: str) -> None:
    """Ends the session when the turn closes: the work is done.

    The last call of a turn counts, and none where the program fails.

    Args:
        summary: What was done; not empty.

    Raises:
        ApiError: `invalid-argument` for an empty summary, `unavailable` for a reviewer.
    """
    _host.call(_bindings.finish, _host.text("session.finish", "summary", summary))


def approve(summary: str) -> None:
    """Ends a review when the turn closes: the work is good.

    The last call of a turn counts, and none where the program fails.

    Args:
        summary: What was looked at.

    Raises:
        ApiError: `unavailable` for an agent that is no reviewer.
    """
    _host.call(_bindings.approve, _host.text("session.approve", "summary", summary))


def request_changes(items: Iterable[str]) -> None:
    """Ends a review when the turn closes: the work needs changes.

    The last call of a turn counts, and none where the program fails.

    Args:
        items: What has to change, each in a sentence; at least one.

    Raises:
        ApiError: `invalid-argument` for an empty list or a blank item, `unavailable` for
            an agent that is no reviewer.
    """
    _host.call(_bindings.request_changes, _host.texts("session.request_changes", "items", items))
