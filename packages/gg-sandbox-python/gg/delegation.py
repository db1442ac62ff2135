"""Other agents: start them, wait for them, write to them, hand over to them."""

from collections.abc import Iterable
from dataclasses import dataclass

from wit_world.imports import delegation as _bindings

from . import _host

__all__ = [
    "Subagent",
    "SubagentResult",
    "exec",
    "fork",
    "send_message",
    "spawn_subagent",
    "transition_state",
    "wait_for_subagents",
]

__operations__ = {
    "spawn_subagent": "delegation.spawn_subagent",
    "wait_for_subagents": "delegation.wait_for_subagents",
    "send_message": "delegation.send_message",
    "transition_state": "delegation.transition_state",
    "exec": "delegation.exec",
    "fork": "delegation.fork",
}


@dataclass(frozen=True, slots=True)
class Subagent:
    """An agent that was started."""

    id: str
    """Its id, by which the other calls name it."""
    profile: str
    """The profile that it was started from."""
    model_id: str
    """The model that answers for it."""


@dataclass(frozen=True, slots=True)
class SubagentResult:
    """How an agent that was started ended."""

    id: str
    """Its id."""
    status: str | None
    """How it ended; `None` where it did not end by itself."""
    summary: str
    """What it said of its work."""


def spawn_subagent(agent: str, prompt: str | None = None, *, issue: str | None = None) -> Subagent:
    """Starts an agent on a prompt or on an issue of the board: exactly one of the two.

    Args:
        agent: The profile to start it from.
        prompt: What it is to do.
        issue: The id of the issue that it is to work on.

    Returns:
        The agent that was started.

    Raises:
        ApiError: `not-found` for an unknown profile or issue, `limit-exceeded` where
            agents are nested too deeply or too many run.
    """
    name = "delegation.spawn_subagent"
    if (prompt is None) == (issue is None):
        raise TypeError(f"{name}() takes either 'prompt' or 'issue'")
    if prompt is not None:
        work = _bindings.Assignment_Prompt(_host.text(name, "prompt", prompt))
    else:
        work = _bindings.Assignment_Issue(_host.text(name, "issue", issue))
    raw = _host.call(_bindings.spawn_subagent, _host.text(name, "agent", agent), work)
    return Subagent(id=raw.id, profile=raw.profile, model_id=raw.model_id)


def wait_for_subagents(ids: Iterable[str] | None = None) -> list[SubagentResult]:
    """Waits until agents that this agent started have ended.

    Args:
        ids: The agents to wait for; all of them where left out.

    Returns:
        How each of them ended.

    Raises:
        ApiError: `not-found` for an unknown id, `limit-exceeded` where the time of the run is spent.
    """
    name = "delegation.wait_for_subagents"
    raw = _host.call(_bindings.wait_for_subagents, None if ids is None else _host.texts(name, "ids", ids))
    return [SubagentResult(id=result.id, status=result.status, summary=result.summary) for result in raw]


def send_message(agent_id: str, message: str) -> None:
    """Sends a message to an agent, which reads it in its next turn.

    Args:
        agent_id: The agent.
        message: What to tell it.

    Raises:
        ApiError: `not-found` for an unknown agent, `refused` where it has ended.
    """
    name = "delegation.send_message"
    _host.call(_bindings.send_message, _host.text(name, "agent_id", agent_id), _host.text(name, "message", message))


def transition_state(state: str, note: str | None = None) -> None:
    """Goes on to another state of the agent's state machine when the turn closes.

    The first hand-over of a turn stands; a second one is refused.

    Args:
        state: The state to go on to.
        note: What the next state should know.

    Raises:
        ApiError: `not-found` for a state that cannot be reached from here, `refused`
            where the turn already hands over.
    """
    name = "delegation.transition_state"
    _host.call(
        _bindings.transition_state, _host.text(name, "state", state), _host.optional_text(name, "note", note)
    )


def exec(agent: str, prompt: str | None = None) -> None:
    """Hands the work over to another profile in place of this agent when the turn closes.

    The first hand-over of a turn stands; a second one is refused.

    Args:
        agent: The profile that takes over.
        prompt: What it should know.

    Raises:
        ApiError: `not-found` for an unknown profile, `refused` where the turn already hands over.
    """
    name = "delegation.exec"
    _host.call(_bindings.exec, _host.text(name, "agent", agent), _host.optional_text(name, "prompt", prompt))


def fork(prompt: str) -> str:
    """Starts a copy of this agent, with all that it knows, on a prompt when the turn closes.

    Args:
        prompt: What the copy is to do.

    Returns:
        A handle by which the copy can be waited for.

    Raises:
        ApiError: `limit-exceeded` where agents are nested too deeply or too many run.
    """
    return _host.call(_bindings.fork, _host.text("delegation.fork", "prompt", prompt))
