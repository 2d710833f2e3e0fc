"""Run pytest in this process and write down, as JSON, every existing file that it opens to read.

Usage: python opened.py OUTPUT PYTEST-ARGS...
"""

from __future__ import annotations

import atexit
import json
import os
import sys

import pytest

_opened: set[str] = set()


def _watch(event: str, details: tuple[object, ...]) -> None:
    if event != "open" or not isinstance(details[0], str):
        return
    path = os.path.normpath(os.path.join(os.getcwd(), details[0]))
    if os.path.isfile(path) and (details[1] is None or "r" in str(details[1])):
        _opened.add(path)


def _write(output: str) -> None:
    with open(output, "w", encoding="utf-8") as file:
        json.dump(sorted(_opened), file)


if __name__ == "__main__":
    output, *args = sys.argv[1:]
    sys.path[0] = os.getcwd()  # as python -m pytest has it
    atexit.register(_write, output)
    sys.addaudithook(_watch)
    sys.exit(pytest.main(args))
