"""Put files where nobody sees them before they are whole, and never over others."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator, Iterable
from typing import BinaryIO

from benchhygiene.errors import InputError

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


@contextlib.contextmanager
def unfinished(path: str) -> Generator[str]:
    """Hand out a new name beside the path; what lies there in the end is taken away.

    Raises InputError where nothing can be written there.
    """
    folder = os.path.dirname(path) or os.curdir
    name = os.path.join(folder, f".benchhygiene-{os.urandom(6).hex()}.part")
    try:
        yield name
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.unlink(name)


def create(path: str, chunks: Iterable[bytes], mode: int = 0o644) -> None:
    """Write a file that must not be there."""
    with new_file(path, mode) as file:
        for chunk in chunks:
            file.write(chunk)


@contextlib.contextmanager
def new_file(path: str, mode: int = 0o644) -> Generator[BinaryIO]:
    """Open a file that must not be there."""
    with os.fdopen(os.open(path, _CREATE, mode), "wb") as file:
        yield file


def publish(source: str, target: str) -> bool:
    """Give a whole file its name unless the name is taken, and return whether it was free.

    What was written is on the disk before it has the name. A link is made or fails in one step, so
    that of two who try one wins.
    """
    descriptor = os.open(source, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    try:
        os.link(source, target)
    except FileExistsError:
        return False
    return True
