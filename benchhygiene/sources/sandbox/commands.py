"""What is run in a sandbox, and what it gets to see."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import attrs

CHANNEL, MESSAGE = 3, 4  # the descriptors of a command that it says results on, and is told on
PROGRAMS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")


@attrs.frozen
class Mount:
    """What of the machine a sandboxed command sees, and where; never to be written.

    A copy may be written and is gone afterwards.
    """

    source: str
    target: str
    is_copy: bool = False

    @classmethod
    def at_home(cls, path: str) -> Mount:
        """Return a mount that shows a path where it is."""
        return cls(path, path)


@attrs.frozen(kw_only=True)
class Command:
    """What to run: an absolute program, its whole environment, and what it gets to see.

    ``message`` (at most 4 KiB) waits on descriptor 4; with ``has_channel`` descriptor 3 leads to
    ``Ended.channel``.
    """

    argv: tuple[str, ...] = attrs.field(converter=tuple[str, ...])
    environ: Mapping[str, str] = attrs.field(factory=dict[str, str])
    cwd: str = "/"
    mounts: tuple[Mount, ...] = attrs.field(default=(), converter=tuple[Mount, ...])
    message: bytes | None = None
    has_channel: bool = False


def environment(**own: str) -> dict[str, str]:
    """Return an environment in which nothing of the caller's is left."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": "/home/tester",
        "USER": "tester",
        "LOGNAME": "tester",
        "TMPDIR": "/tmp",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        **own,
    }


def shown(paths: Sequence[str]) -> tuple[Mount, ...]:
    """Return mounts that show existing paths where they are, what lies in another left out."""
    kept: list[str] = []
    for path in sorted({os.path.abspath(path) for path in paths if os.path.exists(path)}):
        if not any(path == above or path.startswith(f"{above}/") for above in (*kept, *PROGRAMS)):
            kept.append(path)
    return tuple(Mount.at_home(path) for path in kept)
