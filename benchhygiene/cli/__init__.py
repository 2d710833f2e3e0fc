"""The command line: parse, call, render, and answer with an exit status."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchhygiene.errors import BenchhygieneError
from benchhygiene.formats.escape import escape

if TYPE_CHECKING:
    from types import TracebackType

USAGE = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    ``argv`` defaults to the process's own arguments. Bad usage and bad input are one line on
    standard error and status 2; a mistake of this program is a traceback and status 2 as well.
    """
    if argv is not None:
        return _guarded(tuple(argv))
    with _short_process():
        return _guarded(tuple(sys.argv[1:]))


@contextmanager
def _short_process() -> Generator[None]:
    """Collect cyclic garbage rarely, and not once more at exit: 40 of 220 ms went into that."""
    sys.excepthook = _own_mistake
    is_cpython = sys.implementation.name == "cpython"
    if is_cpython:
        gc.set_threshold(100_000)
    try:
        yield
    finally:
        if is_cpython:
            gc.freeze()


def _own_mistake(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
    """End on a mistake of this program with 2: status 1 would say that a violation was found."""
    sys.__excepthook__(kind, error, at)
    sys.stderr.flush()
    os._exit(USAGE)


def _guarded(argv: tuple[str, ...]) -> int:
    try:
        return _run(argv)
    except BenchhygieneError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED


def _complain(message: str) -> int:
    if sys.stderr is not None:  # it is None where the process was started without one
        print(f"benchhygiene: error: {escape(message)}", file=sys.stderr)
    return USAGE


def _run(argv: tuple[str, ...]) -> int:
    from benchhygiene.cli import app

    return app.run(*_split(argv))


def _split(argv: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Cut at the first ``--``: what follows is pytest's, be it ``--`` again."""
    if "--" not in argv:
        return argv, ()
    cut = argv.index("--")
    return argv[:cut], argv[cut + 1 :]
