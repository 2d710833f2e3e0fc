"""A command that has been started, and everything that leads in and out of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import IO, cast

import attrs

from benchhygiene.sources.sandbox.commands import CHANNEL, MESSAGE, Command

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
_START = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from benchhygiene.sources.launcher.program import main; sys.exit(main(sys.argv[2:]))"
)
_MOST_MESSAGE = 1 << 12  # bytes: a pipe of any system holds them
_GRACE = 10.0  # seconds until what should have ended is killed


@attrs.frozen
class Pipes:
    """Both ends of all that leads in and out, but for the standard streams."""

    given: int
    status: tuple[int, int]
    lifeline: tuple[int, int]
    channel: tuple[int, int] | None
    message: int | None

    @classmethod
    def open(cls, command: Command, spec: Mapping[str, object]) -> Pipes:
        """Return them for a command; the specification waits in a file without a name."""
        given = os.memfd_create("benchhygiene-sandbox", os.MFD_CLOEXEC)
        descriptors: list[tuple[int, int]] = []
        channel = os.pipe() if command.has_channel else None
        if channel is not None:
            descriptors.append((channel[1], CHANNEL))
        message = None if command.message is None else _filled(command.message)
        if message is not None:
            descriptors.append((message, MESSAGE))
        os.write(given, json.dumps({**spec, "descriptors": descriptors}).encode())
        os.lseek(given, 0, os.SEEK_SET)
        return cls(given, os.pipe(), os.pipe(), channel, message)

    @property
    def inner(self) -> tuple[int, ...]:
        """Return the ends that belong inside."""
        optional = (self.channel[1] if self.channel else None, self.message)
        held = (self.given, self.status[1], self.lifeline[0], *optional)
        return tuple(one for one in held if one is not None)

    def close_inner(self) -> None:
        """Let go of what belongs inside: only there it may be held."""
        for descriptor in self.inner:
            os.close(descriptor)


def _filled(message: bytes) -> int:
    """Return the reading end of a pipe that holds the message and then ends."""
    if len(message) > _MOST_MESSAGE:
        raise ValueError(f"a message of {len(message)} bytes, more than {_MOST_MESSAGE}")
    reading, writing = os.pipe()
    os.write(writing, message)
    os.close(writing)
    return reading


def launched(pipes: Pipes, stdin: int) -> subprocess.Popen[bytes]:
    """Start the launcher."""
    numbers = map(str, (pipes.given, pipes.status[1], pipes.lifeline[0]))
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-B", "-c", _START, _ROOT, *numbers],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={},
        cwd="/",
        pass_fds=pipes.inner,
        start_new_session=True,
    )


class Running:
    """A command that has been started; closing it ends everything that it started."""

    def __init__(self, process: subprocess.Popen[bytes], pipes: Pipes) -> None:
        self.stdin = process.stdin
        self.stdout = cast("IO[bytes]", process.stdout)
        self.stderr = cast("IO[bytes]", process.stderr)
        self.status = pipes.status[0]
        self.channel = pipes.channel[0] if pipes.channel else None
        self._lifeline: int | None = pipes.lifeline[1]
        self._process = process

    def cut(self) -> None:
        """End the command, and all that it started, now."""
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None

    def close(self) -> None:
        """End it, wait until it has, and let go of its streams."""
        self.cut()
        try:
            self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream is not None:
                stream.close()
        for descriptor in (self.status, self.channel):
            if descriptor is not None:
                os.close(descriptor)
