"""Ask the git program for objects: one process for all of them, fed through a pipe.

Only ``git cat-file --batch`` is ever run. It prints what is stored, so that no hook, filter, text
conversion, pager or attribute of a repository comes into play.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import IO

import attrs

from benchhygiene.errors import EvidenceUnavailable, InputError

_PATIENCE = 60.0  # seconds without a byte before git counts as stuck, on a FIFO for instance
_AT_ONCE = 128  # requests on their way: few enough to fit in a pipe nobody reads from yet
_LARGE = 1 << 20  # bytes from which git streams an object instead of holding it in memory
_CHUNK = 1 << 20  # bytes that git may be ahead by, where a pipe can be made to hold them
_ENLARGE: int | None = getattr(fcntl, "F_SETPIPE_SZ", None)  # of Linux alone
_CONFIGURATION = {
    "safe.directory": "*",  # a workspace has another owner; what that guards against is off here
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.bigFileThreshold": str(_LARGE),
    "protocol.allow": "never",
}


@attrs.frozen
class StoredObject:
    """One object of a repository: its full id, its type and its bytes."""

    identity: str
    kind: str
    data: bytes


class ObjectStore:
    """The objects of one repository.

    ``limit`` is the size above which an object is not read. It is started when first asked, once
    more in every process it gets into, and stopped when it is collected or closed. Threads may
    share it.
    """

    def __init__(self, path: str, limit: int) -> None:
        self.path = path
        self.limit = limit
        self._lock = threading.Lock()
        self._running: _Batch | None = None

    def __reduce__(self) -> tuple[type[ObjectStore], tuple[str, int]]:
        return (ObjectStore, (self.path, self.limit))

    def read(self, name: str) -> StoredObject:
        """Return the object that a name or expression leads to.

        Raises EvidenceUnavailable where there is none, or it is too large.
        """
        (found,) = self.read_all((name,))
        if isinstance(found, EvidenceUnavailable):
            raise found
        return found

    def read_all(self, names: Sequence[str]) -> list[StoredObject | EvidenceUnavailable]:
        """Return what each name leads to, or why it cannot be had, in the order of the names."""
        with self._lock:
            return [
                found
                for start in range(0, len(names), _AT_ONCE)
                for found in self._some(names[start : start + _AT_ONCE])
            ]

    def close(self) -> None:
        """Stop the process; it starts again when asked."""
        with self._lock:
            if self._running is not None:
                self._running.stop()
                self._running = None

    def _some(self, names: Sequence[str]) -> Iterator[StoredObject | EvidenceUnavailable]:
        pending = list(names)
        while pending:
            batch = self._batch()
            batch.ask(pending)
            for found in batch.answers(tuple(pending), self.limit):
                pending.pop(0)
                yield found

    def _batch(self) -> _Batch:
        if self._running is None or not self._running.is_usable:
            self._running = _Batch(self.path)
        return self._running


class _Batch:
    """One ``git cat-file --batch`` and what it has said so far."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._owner = os.getpid()
        self._process, self._complaints = _start(path)
        self._input, self._output = _descriptors(self._process)
        self._buffer = b""
        self._at = 0
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self.stop = weakref.finalize(self, _stop, self._process, self._complaints, self._owner)

    @property
    def is_usable(self) -> bool:
        """Say whether it runs and this process started it: two would mix up their answers."""
        return self.stop.alive and self._owner == os.getpid()

    def ask(self, names: Sequence[str]) -> None:
        lines = b"".join(os.fsencode(name) + b"\n" for name in names)
        with contextlib.suppress(BrokenPipeError):  # reading says why
            os.write(self._input, lines)

    def answers(
        self, names: Sequence[str], limit: int
    ) -> Iterator[StoredObject | EvidenceUnavailable]:
        """Yield an answer for each name; stop, and end the process, after one too large."""
        for name in names:
            words = self._line().split(b" ")
            if len(words) != 3 or not words[2].isdigit():
                yield EvidenceUnavailable(f"{name}: not in the repository")
                continue
            size = int(words[2])
            if size > limit:
                self.stop()
                yield EvidenceUnavailable(f"{name}: {size} bytes, more than the limit of {limit}")
                return
            data = self._exactly(size + 1)[:-1]
            yield StoredObject(words[0].decode(), words[1].decode(), data)

    def _line(self) -> bytes:
        while (end := self._buffer.find(b"\n", self._at)) < 0:
            self._hold(len(self._buffer) - self._at + 1)
        line = self._buffer[self._at : end]
        self._at = end + 1
        return line

    def _exactly(self, size: int) -> bytes:
        self._hold(size)
        data = self._buffer[self._at : self._at + size]
        self._at += size
        return data

    def _hold(self, size: int) -> None:
        """Read until there are so many bytes that have not been taken."""
        held = len(self._buffer) - self._at
        if held >= size:
            return
        parts = [self._buffer[self._at :]]
        while held < size:
            parts.append(self._more())
            held += len(parts[-1])
        self._buffer, self._at = b"".join(parts), 0

    def _more(self) -> bytes:
        deadline = time.monotonic() + _PATIENCE
        while not self._poll.poll(1000 * max(deadline - time.monotonic(), 0)):
            if time.monotonic() >= deadline:
                self.stop()
                raise InputError(f"git {self._path!r}: no answer within {_PATIENCE:.0f} seconds")
        chunk = os.read(self._output, _CHUNK)
        if not chunk:
            raise InputError(f"git {self._path!r}: {self._said()}")
        return chunk

    def _said(self) -> str:
        """Return git's own last words; it has gone by now."""
        self._process.wait(_PATIENCE)
        self._complaints.seek(0)
        text = self._complaints.read(4096).decode(errors="surrogateescape").strip()
        self.stop()
        return text.partition("\n")[0].removeprefix("fatal: ") or "git ended without a word"


def _descriptors(process: subprocess.Popen[bytes]) -> tuple[int, int]:
    if process.stdin is None or process.stdout is None:
        raise InputError("git: could not be talked to")
    output = process.stdout.fileno()
    if _ENLARGE is not None:
        with contextlib.suppress(OSError):  # the user may have no more room for pipes
            fcntl.fcntl(output, _ENLARGE, _CHUNK)
    return process.stdin.fileno(), output


def _start(path: str) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """Return the process, and the file that it complains to: a pipe could fill up unread."""
    words = [git_program(path), "--no-pager", "-C", path, "cat-file", "--batch"]
    complaints = tempfile.TemporaryFile()  # noqa: SIM115 -- _stop closes it
    try:
        process = subprocess.Popen(
            words,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=git_environment(path),
        )
    except OSError as error:
        complaints.close()
        raise InputError(f"git: {words[0]} cannot be run: {error.strerror}") from error
    return process, complaints


def _stop(process: subprocess.Popen[bytes], complaints: IO[bytes], owner: int) -> None:
    """End the process, or in a forked child only forget it: the parent still talks to it."""
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
    complaints.close()
    if owner == os.getpid():
        process.kill()
        process.wait()
    else:
        process.returncode = 0


def git_program(*evidence: str) -> str:
    """Return the path of the git program: absolute, and not one that the evidence brought along.

    Raises InputError where there is none.
    """
    roots = [os.path.realpath(root) + os.sep for root in evidence]
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        program = os.path.join(folder, "git")
        if not os.path.isabs(folder) or not os.access(program, os.X_OK):
            continue
        if os.path.isfile(program) and not os.path.realpath(program).startswith(tuple(roots)):
            return program
    raise InputError("git: no such program on PATH; a revision is read through git")


def git_environment(path: str) -> Mapping[str, str]:
    """Return all the variables git is started with: none of ours, and no way out.

    No configuration of the machine or the user, no replaced or fetched objects, no transport, no
    repository above the one that was named.
    """
    return {
        "PATH": os.defpath,
        "LC_ALL": "C",
        "HOME": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CEILING_DIRECTORIES": os.path.dirname(os.path.realpath(path)),
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_COUNT": str(len(_CONFIGURATION)),
        **{f"GIT_CONFIG_KEY_{n}": key for n, key in enumerate(_CONFIGURATION)},
        **{f"GIT_CONFIG_VALUE_{n}": value for n, value in enumerate(_CONFIGURATION.values())},
    }
