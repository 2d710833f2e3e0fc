"""Look at paths and read files that nobody vouches for: bounded, and never a FIFO or a device."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Generator, Iterator

import attrs

from benchhygiene.evidence.files import PathKind

# O_NONBLOCK: a file swapped for a FIFO between stat and open must not hang us.
OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


@attrs.frozen
class Limits:
    """How much one invocation's evidence may take in.

    Bytes are per file, of all files together, and of walked test files together. ``entries``
    counts directory entries, ``depth`` directories below where a walk starts, ``names`` the entries
    one directory may have before it is left out whole, ``tokens`` the distinct words of config
    files looked up as paths, ``path_length`` the characters of one that is.
    """

    file_bytes: int = 1 << 20
    total_bytes: int = 64 << 20
    walked_bytes: int = 16 << 20
    entries: int = 20_000
    depth: int = 12
    names: int = 20_000
    tokens: int = 20_000
    path_length: int = 4_096


class TooLarge(OSError):
    """Say that a file holds more bytes than the limit."""

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(f"{size} bytes, more than the limit of {limit}")


def kind_of(path: str, directory: int | None = None) -> PathKind | None:
    """Return what the path leads to, links followed, None where nothing is there.

    ``directory`` is an open directory that a relative path starts from. Raises PermissionError
    where looking is forbidden; dangling links, link loops and impossible names lead nowhere.
    """
    try:
        mode = os.stat(path, dir_fd=directory).st_mode
    except PermissionError:
        raise
    except (OSError, ValueError):
        return None
    return kind_of_mode(mode)


def kind_of_mode(mode: int) -> PathKind:
    """Return the kind that a file mode says."""
    if stat.S_ISREG(mode):
        return PathKind.FILE
    return PathKind.DIRECTORY if stat.S_ISDIR(mode) else PathKind.OTHER


def read_regular(path: str, limit: int) -> bytes:
    """Return a regular file's bytes.

    Raises TooLarge over the limit, and OSError where it cannot be read or is not a regular file.
    """
    with _opened(path, limit) as descriptor:
        return b"".join(_chunks(descriptor, limit, 1 << 16))


@contextlib.contextmanager
def _opened(path: str, limit: int) -> Generator[int]:
    descriptor = os.open(path, OPEN_FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError("not a regular file")
        if status.st_size > limit:
            raise TooLarge(status.st_size, limit)
        yield descriptor
    finally:
        os.close(descriptor)


def digest_regular(path: str, limit: int) -> tuple[str, int]:
    """Return a regular file's SHA-256 in hexadecimal and its size, a piece in memory at a time.

    Raises as ``read_regular`` does.
    """
    whole = hashlib.sha256()
    with _opened(path, limit) as descriptor:
        size = 0
        for chunk in _chunks(descriptor, limit, 1 << 20):
            whole.update(chunk)
            size += len(chunk)
    return whole.hexdigest(), size


def chunks_of(path: str, limit: int) -> Iterator[bytes]:
    """Yield a regular file's bytes, a piece at a time; raises as ``read_regular`` does."""
    with _opened(path, limit) as descriptor:
        yield from _chunks(descriptor, limit, 1 << 20)


def _chunks(descriptor: int, limit: int, most: int) -> Iterator[bytes]:
    """Read to the end: files under /proc claim to be empty, and others may grow meanwhile."""
    size = 0
    while chunk := os.read(descriptor, min(most, limit + 1 - size)):
        size += len(chunk)
        if size > limit:
            raise TooLarge(size, limit)
        yield chunk


def reason_of(error: OSError) -> str:
    """Return why a file could not be read, without its path."""
    if isinstance(error, TooLarge) or error.strerror is None:
        return str(error)
    return f"{type(error).__name__}: {error.strerror}"
