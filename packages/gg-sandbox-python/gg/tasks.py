"""The agent's own list of tasks."""

import enum
from collections.abc import Iterable

from wit_world.imports import tasks as _bindings

from . import _host
from .core import KEEP, Keep, Usage

__all__ = ["TaskStatus", "add_task", "complete_task", "remove_task", "set_blocked_by", "update_task"]

__operations__ = {
    "add_task": "tasks.add_task",
    "update_task": "tasks.update_task",
    "set_blocked_by": "tasks.set_blocked_by",
    "complete_task": "tasks.complete_task",
    "remove_task": "tasks.remove_task",
}


class TaskStatus(enum.StrEnum):
    """How far a task is."""

    PENDING = "pending"
    """Not begun."""
    IN_PROGRESS = "in-progress"
    """Being worked on."""
    DONE = "done"
    """Finished."""


def add_task(id: str, title: str, *, description: str | None = None, blocked_by: Iterable[str] = ()) -> Usage:
    """Adds a task to the agent's list.

    Args:
        id: A name for the task, of the agent's own choosing.
        title: What is to be done, in a line.
        description: More about it.
        blocked_by: The ids of the tasks that must be done first.

    Returns:
        How many tasks there are now, and how many there may be.

    Raises:
        ApiError: `conflict` where the id is taken, `not-found` for an unknown id in
            `blocked_by`, `limit-exceeded` where the list is full.
    """
    name = "tasks.add_task"
    task = _bindings.NewTask(
        id=_host.text(name, "id", id),
        title=_host.text(name, "title", title),
        description=_host.optional_text(name, "description", description),
        blocked_by=_host.texts(name, "blocked_by", blocked_by),
    )
    return _host.usage(_host.call(_bindings.add_task, task))


def update_task(
    id: str,
    *,
    title: str | Keep = KEEP,
    description: str | Keep | None = KEEP,
    status: TaskStatus | Keep = KEEP,
) -> None:
    """Changes a task; what is left out stays as it is.

    Args:
        id: The task.
        title: Its new title.
        description: Its new description; `None` removes it.
        status: Its new status.

    Raises:
        ApiError: `not-found` where there is no such task.
    """
    name = "tasks.update_task"
    patch = _bindings.TaskPatch(
        title=None if title is KEEP else _host.text(name, "title", title),
        description=_host.text_edit(name, "description", description),
        status=None if status is KEEP else _host.member(name, "status", TaskStatus, status, _bindings.TaskStatus),
    )
    _host.call(_bindings.update_task, _host.text(name, "id", id), patch)


def set_blocked_by(id: str, blocked_by: Iterable[str]) -> None:
    """Replaces the list of tasks that must be done before a task.

    Args:
        id: The task.
        blocked_by: The ids of the tasks that must be done first; an empty list frees the task.

    Raises:
        ApiError: `not-found` for an unknown id, `conflict` where the tasks would wait for
            each other.
    """
    name = "tasks.set_blocked_by"
    _host.call(_bindings.set_blocked_by, _host.text(name, "id", id), _host.texts(name, "blocked_by", blocked_by))


def complete_task(id: str) -> None:
    """Marks a task as done.

    Args:
        id: The task.

    Raises:
        ApiError: `not-found` where there is no such task.
    """
    _host.call(_bindings.complete_task, _host.text("tasks.complete_task", "id", id))


def remove_task(id: str) -> Usage:
    """Removes a task from the list.

    Args:
        id: The task.

    Returns:
        How many tasks there are now, and how many there may be.

    Raises:
        ApiError: `not-found` where there is no such task.
    """
    return _host.usage(_host.call(_bindings.remove_task, _host.text("tasks.remove_task", "id", id)))
