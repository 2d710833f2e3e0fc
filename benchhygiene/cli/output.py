"""Deliver text: to a stream that may be a terminal or closed, or to a file, whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Mapping
from typing import TextIO

from benchhygiene.errors import InputError

_NARROWEST = 40
_DASH = "-"  # stands for standard output


def has_colour(stream: TextIO | None, environ: Mapping[str, str]) -> bool:
    """Return whether to colour what goes to the stream.

    A non-empty NO_COLOR wins, then a non-empty FORCE_COLOR; otherwise only a terminal that is not
    ``dumb`` gets colour (the conventions of no-color.org and force-color.org).
    """
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return _is_terminal(stream) and environ.get("TERM") != "dumb"


def text_width(stream: TextIO | None, environ: Mapping[str, str]) -> int | None:
    """Return the terminal's width in columns, COLUMNS first; None where there is no terminal."""
    if stream is None or not _is_terminal(stream):
        return None
    columns = environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns):
        return max(int(columns), _NARROWEST)
    return max(os.get_terminal_size(stream.fileno()).columns or 80, _NARROWEST)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def stream_for(output: str | None) -> TextIO | None:
    """Return the stream that ``--output`` stands for, None where it names a file."""
    return sys.stdout if output in (None, _DASH) else None


def deliver(text: str, output: str | None) -> None:
    """Write the text where ``--output`` says; without one, and for -, to standard output."""
    if output is None or output == _DASH:
        write_stream(text)
    else:
        write_file(output, text)


def write_stream(text: str) -> None:
    """Write the text to standard output, spelling out what its encoding cannot carry.

    A reader that went away (``| head``) is no error. Raises InputError where nothing can be
    written, such as on a full disk.
    """
    stream = sys.stdout
    if stream is None:
        raise InputError("standard output: closed; give --output FILE")
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        _abandon(stream)
    except OSError as error:
        _abandon(stream)
        raise InputError(f"standard output: cannot be written: {error.strerror}") from error


def _abandon(stream: TextIO) -> None:
    """Point the stream at nothing, or the interpreter would fail once more when it exits."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, stream.fileno())
    os.close(sink)


def write_file(path: str, text: str, name: str | None = None) -> None:
    """Put the text at the path in one step: readers see the old file or the whole new one.

    A symbolic link at the path is replaced, never followed: one could be planted in a workspace.
    Raises InputError, which calls it by the name or by ``--output``, for a target that is not a
    regular file or cannot be written.
    """
    try:
        mode = _replaceable_mode(path)
        _replace(path, text.encode("utf-8", "backslashreplace"), mode)
    except OSError as error:
        called = name or f"--output {path}"
        raise InputError(f"{called}: cannot be written: {error.strerror}") from error


def _replaceable_mode(path: str) -> int | None:
    """Return the permission bits of the file to replace, None for a new one."""
    if not path or path.endswith("/"):
        raise InputError(f"--output {path}: expected the name of a file")
    try:
        if os.path.islink(path) and os.readlink(path).startswith("/proc/"):
            # /dev/stdout and its like: replacing them would cut off every later program.
            raise InputError(f"--output {path}: stands for an open stream; give - to write to it")
        found = os.stat(path)  # follows links: a device must not be replaced by a file either
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise InputError(f"--output {path}: not a regular file; leave it out to write to a pipe")
    return None if os.path.islink(path) else stat.S_IMODE(found.st_mode)


def _replace(path: str, data: bytes, mode: int | None) -> None:
    unfinished = os.path.join(os.path.dirname(path), f".benchhygiene-{os.urandom(6).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(unfinished, flags, 0o666)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
        if mode is not None:
            os.chmod(unfinished, mode)
        os.replace(unfinished, path)
    finally:
        with contextlib.suppress(FileNotFoundError):  # it has become the report
            os.unlink(unfinished)
