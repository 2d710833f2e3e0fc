"""Read all that a running command says, within bounds, until it ends or is ended."""

from __future__ import annotations

import json
import os
import selectors
import time
from collections.abc import Mapping
from typing import cast

from benchhygiene.errors import SandboxUnavailable
from benchhygiene.sources.sandbox.limits import Ended, RunEnd, SandboxLimits
from benchhygiene.sources.sandbox.processes import Running

_CHUNK = 1 << 16
_GRACE = 10.0  # seconds until streams that should have ended are given up
_REMEDY = (
    "user namespaces are needed: sysctl kernel.unprivileged_userns_clone=1, "
    "user.max_user_namespaces=10000, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0; in "
    "a container --security-opt seccomp=unconfined --security-opt systempaths=unconfined. What "
    "runs without a sandbox (--no-sandbox) can read and write all that you can"
)


class _Kept:
    """What was read of one stream, up to a limit."""

    def __init__(self, limit: int) -> None:
        self.chunks: list[bytes] = []
        self.dropped = 0
        self._room = limit

    def take(self, chunk: bytes) -> None:
        kept = chunk[: self._room]
        self._room -= len(kept)
        self.dropped += len(chunk) - len(kept)
        if kept:
            self.chunks.append(kept)

    @property
    def content(self) -> bytes:
        return b"".join(self.chunks)


def read_out(running: Running, limits: SandboxLimits) -> Ended:
    """Read all streams to their ends, or cut the command off; whatever it writes is bounded."""
    kept = {
        running.stdout.fileno(): _Kept(limits.output_bytes),
        running.stderr.fileno(): _Kept(limits.output_bytes),
        running.status: _Kept(_CHUNK),
    }
    if running.channel is not None:
        kept[running.channel] = _Kept(limits.channel_bytes)
    cut = _pump(running, kept, time.monotonic() + limits.wall_seconds)
    said = _parsed(kept[running.status].content)
    end, code = (cut, None) if cut is not None else _ended(said)
    out, error = (kept[stream.fileno()] for stream in (running.stdout, running.stderr))
    channel = b"" if running.channel is None else kept[running.channel].content
    return Ended(
        end=end,
        code=code,
        stdout=out.content,
        stderr=error.content,
        channel=channel,
        dropped=out.dropped + error.dropped,
    )


def _pump(running: Running, kept: Mapping[int, _Kept], deadline: float) -> RunEnd | None:
    """Return why the command was cut off, None where it came to an end itself."""
    cut = None
    with selectors.DefaultSelector() as selector:
        for descriptor in kept:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0 and cut is None:
                cut, deadline = RunEnd.TIMED_OUT, time.monotonic() + _GRACE
                running.cut()
            elif left <= 0:
                break
            for key, _ in selector.select(max(left, 0)):
                _take(selector, key.fd, kept[key.fd])
            if running.channel is not None and kept[running.channel].dropped and cut is None:
                cut = RunEnd.OVERFLOWED
                running.cut()
    return cut


def _take(selector: selectors.BaseSelector, descriptor: int, kept: _Kept) -> None:
    chunk = os.read(descriptor, _CHUNK)
    if chunk:
        kept.take(chunk)
    else:
        selector.unregister(descriptor)


def _parsed(said: bytes) -> Mapping[str, object]:
    if not said:
        return {}
    return cast("Mapping[str, object]", json.loads(said))


def _ended(said: Mapping[str, object]) -> tuple[RunEnd, int | None]:
    how, status = said.get("ended"), said.get("status")
    if how == "refused":
        raise SandboxUnavailable(f"{said.get('why')}; {_REMEDY}")
    if how == "memory":
        return RunEnd.OUT_OF_MEMORY, None
    if not isinstance(status, int):  # the launcher itself was killed: the machine ran out
        return RunEnd.OUT_OF_MEMORY, None
    if os.WIFSIGNALED(status):
        return RunEnd.SIGNALLED, os.WTERMSIG(status)
    return RunEnd.EXITED, os.WEXITSTATUS(status)
