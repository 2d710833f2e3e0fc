"""A server of one process: a JSON-RPC message a line, on standard input and output.

Specification, basic/transports: no message holds a newline, and standard output holds nothing but
messages. To end a server, close its input, then SIGTERM, then SIGKILL (basic/lifecycle).
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType

from benchhygiene.errors import InputError
from benchhygiene.evidence.listing import ListingEnd
from benchhygiene.sources.mcp import wire
from benchhygiene.sources.mcp.channel import ChannelClosed
from benchhygiene.sources.mcp.limits import ListingLimits
from benchhygiene.sources.mcp.wire import Era, Message

_CHUNK = 65536
_NOISE_SHOWN = 1_000  # characters of a line that are kept
Launch = Callable[[Sequence[str], Mapping[str, str]], "subprocess.Popen[bytes]"]


class StdioChannel:
    """A started server; leave the context to end it. Raises InputError where it cannot start."""

    def __init__(self, process: subprocess.Popen[bytes], limits: ListingLimits) -> None:
        if process.stdin is None or process.stdout is None:
            raise InputError("the server has no pipes")
        self._process = process
        self._input = process.stdin.fileno()
        self._output = process.stdout.fileno()
        self._limits = limits
        self._number = 0
        self._received = 0
        self._buffer = bytearray()
        self._noise: list[str] = []
        os.set_blocking(self._input, False)

    @property
    def noise(self) -> tuple[str, ...]:
        """Return the lines that were no message, the first of them."""
        return tuple(self._noise)

    def __enter__(self) -> StdioChannel:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        end(self._process, self._limits.exit)

    def ask(self, method: str, params: dict[str, object], era: Era, seconds: float) -> Message:
        """Return the answer to a request, and answer what the server asks meanwhile."""
        self._number += 1
        number, deadline = self._number, time.monotonic() + seconds
        self._write(wire.request(number, method, params, era), deadline)
        while True:
            received = wire.message(text := self._line(deadline))
            if received is None:
                self._keep_noise(text)
            elif received.answers(number):
                return received
            elif (reply := received.reply) is not None:
                self._write(reply, deadline)

    def tell(self, text: str) -> None:
        """Send a notification."""
        self._write(text, time.monotonic() + self._limits.request)

    def _keep_noise(self, text: str) -> None:
        if text.strip() and len(self._noise) < self._limits.noise:
            self._noise.append(text[:_NOISE_SHOWN])

    def _write(self, text: str, deadline: float) -> None:
        """Write a line; a server that reads nothing must not block us."""
        data = memoryview(f"{text}\n".encode())
        while data:
            if not _is_ready(self._input, select.POLLOUT, deadline):
                raise ChannelClosed(ListingEnd.TIMED_OUT, "the server does not read its input")
            try:
                data = data[os.write(self._input, data) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise self._gone() from error

    def _line(self, deadline: float) -> str:
        """Return the next line; its bytes that are no UTF-8 become lone surrogates."""
        start = 0
        while (cut := self._buffer.find(b"\n", start)) < 0:
            start = len(self._buffer)
            if start > self._limits.message:
                raise ChannelClosed(
                    ListingEnd.LIMIT, f"a line has more than {self._limits.message} bytes"
                )
            self._read(deadline)
        line = bytes(self._buffer[:cut])
        del self._buffer[: cut + 1]
        return line.decode("utf-8", "surrogateescape")

    def _read(self, deadline: float) -> None:
        if not _is_ready(self._output, select.POLLIN, deadline):
            raise ChannelClosed(ListingEnd.TIMED_OUT, "no answer came in time")
        chunk = os.read(self._output, _CHUNK)
        if not chunk:
            raise self._gone()
        self._received += len(chunk)
        if self._received > self._limits.total:
            raise ChannelClosed(ListingEnd.LIMIT, f"more than {self._limits.total} bytes came")
        self._buffer += chunk

    def _gone(self) -> ChannelClosed:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(self._limits.exit)
        status = self._process.returncode
        said = "closed its output" if status is None else f"ended with status {status}"
        return ChannelClosed(ListingEnd.CRASHED, f"the server {said}")


def _is_ready(pipe: int, event: int, deadline: float) -> bool:
    """Wait until a pipe can be used, or is gone; return False where time is up."""
    poll = select.poll()
    poll.register(pipe, event)
    return bool(poll.poll(max(0.0, deadline - time.monotonic()) * 1_000))


def end(process: subprocess.Popen[bytes], seconds: float) -> None:
    """End a server as the specification says, and whatever it has started with it."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    for number in (None, signal.SIGTERM, signal.SIGKILL):
        if number is not None:
            _signal(process, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            break
    _signal(process, signal.SIGKILL)  # what is left of its group
    process.wait()


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def launch(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a server in a group of its own; raises InputError where it cannot be started."""
    try:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environment),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise InputError(f"{command[0]}: cannot be started: {error}") from error
