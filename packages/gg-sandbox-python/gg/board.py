"""The run's board: epics, and the issues that agents work on."""

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from wit_world.imports import board as _bindings

from . import _host
from .core import KEEP, Keep, Usage

__all__ = [
    "Created",
    "IssueStatus",
    "create_epic",
    "create_issue",
    "remove_epic",
    "remove_issue",
    "set_issue_blocked_by",
    "update_issue",
    "wait_for_issue",
]

__operations__ = {
    "create_epic": "board.create_epic",
    "create_issue": "board.create_issue",
    "update_issue": "board.update_issue",
    "set_issue_blocked_by": "board.set_issue_blocked_by",
    "remove_epic": "board.remove_epic",
    "remove_issue": "board.remove_issue",
    "wait_for_issue": "board.wait_for_issue",
}


@dataclass(frozen=True, slots=True)
class Created:
    """What was made on the board."""

    id: str
    """Its id, by which the other calls name it."""
    usage: Usage
    """How many of its kind there are now, and how many there may be."""


class IssueStatus(enum.StrEnum):
    """How far an issue is."""

    OPEN = "open"
    """Not begun."""
    IN_PROGRESS = "in-progress"
    """Its agent works on it."""
    IN_REVIEW = "in-review"
    """Its reviewers look at it."""
    DONE = "done"
    """Finished and approved."""
    CANCELLED = "cancelled"
    """Given up."""


def create_epic(prefix: str, title: str, description: str) -> Created:
    """Makes an epic: a group of issues.

    Args:
        prefix: 3 to 6 letters that begin the ids of its issues.
        title: What the epic is about, in a line.
        description: More about it.

    Returns:
        The epic's id, and how many epics there are.

    Raises:
        ApiError: `invalid-argument` for a bad prefix, `conflict` where it is taken,
            `limit-exceeded` where the board is full.
    """
    name = "board.create_epic"
    epic = _bindings.NewEpic(
        prefix=_host.text(name, "prefix", prefix),
        title=_host.text(name, "title", title),
        description=_host.text(name, "description", description),
    )
    return _created(_host.call(_bindings.create_epic, epic))


def create_issue(
    title: str,
    agent: str,
    *,
    description: str | None = None,
    in_scope: Iterable[str] = (),
    out_of_scope: Iterable[str] = (),
    completion_criteria: Iterable[str] = (),
    blocked_by: Iterable[str] = (),
    epic_id: str | None = None,
    reviewers: Iterable[str] = (),
) -> Created:
    """Makes an issue and hands it to an agent, who begins once nothing blocks it.

    Args:
        title: What is to be done, in a line.
        agent: The profile of the agent that works on it.
        description: More about it.
        in_scope: What belongs to it.
        out_of_scope: What does not belong to it.
        completion_criteria: What must hold when it is done.
        blocked_by: The ids of the issues that must be done first.
        epic_id: The epic that it belongs to.
        reviewers: The profiles of the agents that review it.

    Returns:
        The issue's id, and how many issues there are.

    Raises:
        ApiError: `not-found` for an unknown epic, issue or profile, `limit-exceeded`
            where the board is full.
    """
    name = "board.create_issue"
    issue = _bindings.NewIssue(
        title=_host.text(name, "title", title),
        description=_host.optional_text(name, "description", description),
        in_scope=_host.texts(name, "in_scope", in_scope),
        out_of_scope=_host.texts(name, "out_of_scope", out_of_scope),
        completion_criteria=_host.texts(name, "completion_criteria", completion_criteria),
        blocked_by=_host.texts(name, "blocked_by", blocked_by),
        epic_id=_host.optional_text(name, "epic_id", epic_id),
        agent=_host.text(name, "agent", agent),
        reviewers=_host.texts(name, "reviewers", reviewers),
    )
    return _created(_host.call(_bindings.create_issue, issue))


def update_issue(
    id: str,
    *,
    title: str | Keep = KEEP,
    description: str | Keep | None = KEEP,
    in_scope: Iterable[str] | Keep = KEEP,
    out_of_scope: Iterable[str] | Keep = KEEP,
    completion_criteria: Iterable[str] | Keep = KEEP,
    status: IssueStatus | Keep = KEEP,
    epic: str | Keep | None = KEEP,
) -> None:
    """Changes an issue; what is left out stays as it is.

    Args:
        id: The issue.
        title: Its new title.
        description: Its new description; `None` removes it.
        in_scope: What belongs to it, instead of the old list.
        out_of_scope: What does not belong to it, instead of the old list.
        completion_criteria: What must hold when it is done, instead of the old list.
        status: Its new status.
        epic: The id of the epic that it moves to; `None` takes it out of its epic.

    Raises:
        ApiError: `not-found` for an unknown issue or epic, `refused` where the issue may
            not take that status now.
    """
    name = "board.update_issue"
    patch = _bindings.IssuePatch(
        title=None if title is KEEP else _host.text(name, "title", title),
        description=_host.text_edit(name, "description", description),
        in_scope=None if in_scope is KEEP else _host.texts(name, "in_scope", in_scope),
        out_of_scope=None if out_of_scope is KEEP else _host.texts(name, "out_of_scope", out_of_scope),
        completion_criteria=(
            None
            if completion_criteria is KEEP
            else _host.texts(name, "completion_criteria", completion_criteria)
        ),
        status=None if status is KEEP else _host.member(name, "status", IssueStatus, status, _bindings.IssueStatus),
        epic=_epic_edit(name, epic),
    )
    _host.call(_bindings.update_issue, _host.text(name, "id", id), patch)


def set_issue_blocked_by(id: str, blocked_by: Iterable[str]) -> None:
    """Replaces the list of issues that must be done before an issue.

    Args:
        id: The issue.
        blocked_by: The ids of the issues that must be done first; an empty list frees it.

    Raises:
        ApiError: `not-found` for an unknown id, `conflict` where the issues would wait
            for each other.
    """
    name = "board.set_issue_blocked_by"
    _host.call(
        _bindings.set_issue_blocked_by, _host.text(name, "id", id), _host.texts(name, "blocked_by", blocked_by)
    )


def remove_epic(id: str) -> Usage:
    """Removes an epic; its issues stay, in no epic.

    Args:
        id: The epic.

    Returns:
        How many epics there are now, and how many there may be.

    Raises:
        ApiError: `not-found` where there is no such epic.
    """
    return _host.usage(_host.call(_bindings.remove_epic, _host.text("board.remove_epic", "id", id)))


def remove_issue(id: str) -> Usage:
    """Removes an issue from the board.

    Args:
        id: The issue.

    Returns:
        How many issues there are now, and how many there may be.

    Raises:
        ApiError: `not-found` where there is no such issue.
    """
    return _host.usage(_host.call(_bindings.remove_issue, _host.text("board.remove_issue", "id", id)))


def wait_for_issue(id: str) -> str:
    """Waits for an issue once this program has ended; the next turn begins when it is done.

    Args:
        id: The issue.

    Returns:
        An acknowledgement: the program itself goes on at once.

    Raises:
        ApiError: `not-found` where there is no such issue, `conflict` where it waits for
            this agent.
    """
    return _host.call(_bindings.wait_for_issue, _host.text("board.wait_for_issue", "id", id))


def _created(raw: object) -> Created:
    return Created(id=raw.id, usage=_host.usage(raw.usage))


def _epic_edit(call_name: str, epic: object):
    if epic is KEEP:
        return _bindings.EpicEdit_Keep()
    if epic is None:
        return _bindings.EpicEdit_Ungroup()
    if not isinstance(epic, str):
        raise _host.wrong_type(call_name, "epic", "a str, None or KEEP", epic)
    return _bindings.EpicEdit_Set(_host.text(call_name, "epic", epic))
