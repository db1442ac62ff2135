"""What a program can ask of its host: one module a subject.

Bring in what is used: `from gg import files, views`. Every call either returns or
raises `gg.ApiError`, whose `code` says why in a form that a program can decide on.
"""

from . import (
    board,
    context,
    core,
    delegation,
    docs,
    files,
    memories,
    programs,
    session,
    shell,
    skills,
    tasks,
    views,
)
from .core import KEEP, ApiError, ErrorCode

__all__ = [
    "KEEP",
    "ApiError",
    "ErrorCode",
    "board",
    "context",
    "core",
    "delegation",
    "docs",
    "files",
    "memories",
    "programs",
    "session",
    "shell",
    "skills",
    "tasks",
    "views",
]
