"""Texts that teach the agent something, some with code."""

from wit_world.imports import skills as _bindings

from . import _host

__all__ = ["read_skill"]

__operations__ = {"read_skill": "skills.read_skill"}


def read_skill(name: str) -> str:
    """Reads a skill, keeps it in the model's window, and loads its code where it has some.

    Args:
        name: The skill.

    Returns:
        The body of the skill.

    Raises:
        ApiError: `not-found` where there is no such skill; the message lists near names.
    """
    return _host.call(_bindings.read_skill, _host.text("skills.read_skill", "name", name))
