"""Read an archive once from beginning to end, and hash all of it on the way."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

_BUFFER = 4 << 20


class CutShort(ValueError):
    """Say that an archive ends before it should."""


class Tape:
    """An open file as a stream of bytes; a second thread hashes what the first one looks at.

    Two buffers take turns: what is in memory does not grow with the file. ``hashlib`` lets go of
    the interpreter, so that both threads hash at the same time.
    """

    def __init__(self, descriptor: int, size: int) -> None:
        length = min(_BUFFER, max(size, 1))
        self._descriptor = descriptor
        self._buffers = [memoryview(bytearray(length)) for _ in range(2)]
        self._current = self._buffers[0][:0]
        self._whole = hashlib.sha256()
        self._hashing: Future[None] | None = None
        self._threads = ThreadPoolExecutor(1) if size > _BUFFER else None
        self.at = 0

    def __enter__(self) -> Tape:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._threads is not None:
            self._threads.shutdown()

    def pieces(self, size: int) -> Iterator[memoryview]:
        """Yield the next bytes; a piece holds until the next one. Raises CutShort at the end."""
        while size:
            if not self._current and not self._refill():
                raise CutShort(f"it ends after {self.at} bytes, in the middle of a file")
            piece = self._current[:size]
            self._current = self._current[len(piece) :]
            self.at += len(piece)
            size -= len(piece)
            yield piece

    def exactly(self, size: int) -> bytes:
        """Return the next bytes; raises CutShort where there are fewer."""
        return b"".join(bytes(piece) for piece in self.pieces(size))

    def rest(self) -> int:
        """Pass over what is left and return how many bytes it was."""
        before = self.at
        while self._current or self._refill():
            self.at += len(self._current)
            self._current = self._current[:0]
        return self.at - before

    def sha256(self) -> str:
        """Return the digest of all that was read, in hexadecimal."""
        self._wait()
        return self._whole.hexdigest()

    def _refill(self) -> bool:
        """Read on into the buffer that nobody hashes any more."""
        self._buffers.reverse()
        read = os.readv(self._descriptor, [self._buffers[0]])
        self._wait()
        self._current = self._buffers[0][:read]
        if self._threads is None:
            self._whole.update(self._current)
        elif read:
            self._hashing = self._threads.submit(self._whole.update, self._current)
        return read > 0

    def _wait(self) -> None:
        if self._hashing is not None:
            self._hashing.result()
            self._hashing = None
