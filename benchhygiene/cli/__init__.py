"""The command line: parse, call, render, and answer with an exit status."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchhygiene.errors import BenchhygieneError
from benchhygiene.formats.escape import escape

USAGE = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    ``argv`` defaults to the process's own arguments. Bad usage and bad input are one line on
    standard error and status 2.
    """
    try:
        return _run(tuple(sys.argv[1:] if argv is None else argv))
    except BenchhygieneError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED


def _complain(message: str) -> int:
    if sys.stderr is not None:  # it is None where the process was started without one
        print(f"benchhygiene: error: {escape(message)}", file=sys.stderr)
    return USAGE


def _run(argv: tuple[str, ...]) -> int:
    from cyclopts import CycloptsError

    from benchhygiene.cli.app import build_app

    words, pytest_args = _split(argv)
    try:
        command, bound, unparsed = build_app().parse_args(
            words, print_error=False, exit_on_error=False
        )
    except CycloptsError as error:
        return _complain(" ".join(str(error).split()))
    if "pytest_args" in unparsed:
        bound.arguments["pytest_args"] = pytest_args
    elif pytest_args:
        return _complain(f"only `check` takes arguments after --: {pytest_args[0]!r}")
    return int(command(*bound.args, **bound.kwargs) or 0)


def _split(argv: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Cut at the first ``--``: what follows is pytest's, be it ``--`` again."""
    if "--" not in argv:
        return argv, ()
    cut = argv.index("--")
    return argv[:cut], argv[cut + 1 :]
