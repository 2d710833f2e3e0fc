"""Run a few lines of Python in a sandbox."""

from __future__ import annotations

import sys
import textwrap

import attrs

from benchhygiene.sources.sandbox import (
    Command,
    Ended,
    Isolation,
    Mount,
    Sandbox,
    SandboxLimits,
    environment,
    interpreter_mounts,
)

SMALL = SandboxLimits(
    wall_seconds=20,
    cpu_seconds=10,
    memory_bytes=400 << 20,
    processes=24,
    file_bytes=4 << 20,
    disk_bytes=16 << 20,
    disk_files=200,
    output_bytes=1 << 16,
    channel_bytes=1 << 20,
)


def run(
    code: str,
    *mounts: Mount,
    isolation: Isolation = Isolation.NAMESPACES,
    message: bytes | None = None,
    **limits: float,
) -> Ended:
    """Run the code with our own interpreter, with small limits."""
    sandbox = Sandbox(attrs.evolve(SMALL, **limits), isolation)
    return sandbox.run(
        Command(
            argv=(sys.executable, "-I", "-S", "-B", "-c", textwrap.dedent(code)),
            environ=environment(),
            mounts=(*interpreter_mounts(sys.executable), *mounts),
            message=message,
            has_channel=True,
        )
    )


def said(code: str, *mounts: Mount, **limits: float) -> str:
    """Return what the code printed; it must have come to a good end."""
    ended = run(code, *mounts, **limits)
    assert (ended.code, ended.stderr) == (0, b""), ended
    return ended.stdout.decode()
