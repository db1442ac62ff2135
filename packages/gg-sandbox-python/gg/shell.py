"""Commands in the agent's tree."""

from dataclasses import dataclass

from wit_world.imports import shell as _bindings

from . import _host

__all__ = ["ShellOutput", "shell"]

__operations__ = {"shell": "shell.shell"}


@dataclass(frozen=True, slots=True)
class ShellOutput:
    """What a command left."""

    exit_code: int | None
    """Its exit status; `None` where a signal ended it."""
    output: str
    """Standard output, then standard error; of a long output the end is kept."""
    truncated: bool
    """Whether the beginning of the output was dropped."""


def shell(command: str, *, timeout_secs: int | None = None) -> ShellOutput:
    """Runs a command by `bash -c` in the tree and waits for it.

    A command that fails is no error of the call: look at `exit_code`.

    Args:
        command: The command line.
        timeout_secs: After how many seconds the command is ended; 120 where left out.

    Returns:
        The exit status and the output.

    Raises:
        ApiError: `limit-exceeded` where the time ran out, `unavailable` where this agent
            has no shell.
    """
    name = "shell.shell"
    raw = _host.call(
        _bindings.shell, _host.text(name, "command", command), _host.optional_u32(name, "timeout_secs", timeout_secs)
    )
    return ShellOutput(exit_code=raw.exit_code, output=raw.output, truncated=raw.truncated)
