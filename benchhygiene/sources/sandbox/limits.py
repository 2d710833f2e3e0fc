"""How much a sandboxed command may use up, and how its run ended."""

from __future__ import annotations

import enum

import attrs

_GIB = 1 << 30


@attrs.frozen(kw_only=True)
class SandboxLimits:
    """What one run may use; sizes are in bytes.

    ``memory_bytes`` is the address space of each process and what all of them together hold.
    ``disk_bytes`` is all that is written, everywhere, deleted files not counted; it is held in
    memory. ``output_bytes`` are kept of each of standard output and error; more is read and
    dropped. A command that says more than ``channel_bytes`` on its channel is ended.
    """

    wall_seconds: float = 600
    cpu_seconds: int = 600
    memory_bytes: int = 4 * _GIB
    processes: int = 256
    open_files: int = 1024
    file_bytes: int = _GIB
    disk_bytes: int = _GIB
    disk_files: int = 100_000
    output_bytes: int = 1 << 20
    channel_bytes: int = 256 << 20


class Isolation(enum.Enum):
    """What stood between a command and the machine."""

    NAMESPACES = "namespaces"  # network, processes, files, users, all its own
    NONE = "none"  # limits alone, because a person said so


class RunEnd(enum.Enum):
    """How a command ended."""

    EXITED = "exited"
    SIGNALLED = "ended by a signal"
    TIMED_OUT = "out of time"
    OUT_OF_MEMORY = "out of memory"
    OVERFLOWED = "said too much on its channel"


@attrs.frozen(kw_only=True)
class Ended:
    """One run: how it ended, and what it said.

    ``code`` is the exit status, or the signal's number; None where the run was cut off. ``dropped``
    counts the bytes of output that were not kept.
    """

    end: RunEnd
    code: int | None = None
    stdout: bytes = b""
    stderr: bytes = b""
    channel: bytes = b""
    dropped: int = 0
