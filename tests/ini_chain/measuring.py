"""Measure the programs in a directory with the real coverage.py; write what it says as JSON.

Usage: python measuring.py DIRECTORY. Every ``NAME.py`` there is imported and its ``test_*``
functions are called; the outcome is ``{NAME: [statements, executed]}`` on standard output.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import pathlib
import sys

import coverage


def _measure(directory: pathlib.Path, name: str) -> tuple[int, int]:
    path = directory / f"{name}.py"
    measured = coverage.Coverage(data_file=None, config_file=False, include=[str(path)])
    with measured.collect():
        module = importlib.import_module(name)
        for test in [found for key, found in vars(module).items() if key.startswith("test")]:
            test()
    _, statements, _, missing, _ = measured.analysis2(str(path))
    return len(statements), len(statements) - len(missing)


def _main(directory: pathlib.Path) -> None:
    sys.path.insert(0, str(directory))
    names = sorted(path.stem for path in directory.glob("*.py"))
    with contextlib.redirect_stdout(sys.stderr):
        found = {name: _measure(directory, name) for name in names}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    _main(pathlib.Path(sys.argv[1]))
