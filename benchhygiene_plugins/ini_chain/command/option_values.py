"""Say which option values pytest and its best-known plugins refuse while parsing.

Rules: argparse's ``type`` and ``choices``; ``filename_arg``, ``directory_arg`` and
``validate_basetemp`` in pytest, the validators in pytest-cov's and pytest-xdist's ``plugin.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchhygiene.evidence import FileSnapshot
from benchhygiene_plugins.ini_chain.command.scanning import Given
from benchhygiene_plugins.ini_chain.command.words import Word
from benchhygiene_plugins.ini_chain.configuration.search import lexical, upwards

_COVERAGE_REPORTS = frozenset(
    {"term-missing", "term", "annotate", "html", "xml", "json", "lcov", "markdown"}
    | {"markdown-append", ""}
)


class HelpAsked(Exception):
    """Say that ``--help`` ended the parse: words behind it were never looked at."""

    def __init__(self, word: Word) -> None:
        super().__init__(word.text)
        self.word = word


def value_problem(files: FileSnapshot, cwd: str, given: Given) -> str | None:
    """Return what is wrong with an option's value, None where pytest takes it."""
    value, option = given.value, given.option
    if value is None:
        return None
    if option.type in ("filename_arg", "directory_arg"):
        return _path_problem(files, cwd, given.name, value, option.type)
    if option.type == "validate_basetemp":
        return _basetemp_problem(cwd, value)
    checks: Mapping[str, Callable[[str], str | None]] = {
        "int": _int_problem,
        "float": _float_problem,
        "validate_fail_under": _fail_under_problem,
        "validate_report": _report_problem,
        "parse_numprocesses": _processes_problem,
    }
    check = checks.get(option.type or "")
    problem = check(value) if check is not None else None
    if problem is None and option.choices is not None and value not in option.choices:
        problem = f"{value!r} is none of {', '.join(option.choices)}"
    return None if problem is None else f"{given.name}: {problem}"


def _path_problem(files: FileSnapshot, cwd: str, name: str, value: str, wanted: str) -> str | None:
    is_directory = files.is_dir(lexical(cwd, value))
    if wanted == "filename_arg" and is_directory:
        return f"{name}: {value!r} is a directory, a file is wanted"
    if wanted == "directory_arg" and not is_directory:
        return f"{name}: {value!r} is not a directory"
    return None


def _basetemp_problem(cwd: str, value: str) -> str | None:
    if value == "" or lexical(cwd, value) in upwards(cwd):
        return f"--basetemp: {value!r} is empty or holds the working directory"
    return None


def _int_problem(value: str) -> str | None:
    try:
        int(value)
    except ValueError:
        return f"{value!r} is not a whole number"
    return None


def _float_problem(value: str) -> str | None:
    try:
        float(value)
    except ValueError:
        return f"{value!r} is not a number"
    return None


def _fail_under_problem(value: str) -> str | None:
    problem = _float_problem(value)
    if problem is None and float(value) > 100:
        return f"{value!r} is more than 100 percent"
    return problem


def _report_problem(value: str) -> str | None:
    kind = value.partition(":")[0]
    return None if kind in _COVERAGE_REPORTS else f"{kind!r} is no kind of coverage report"


def _processes_problem(value: str) -> str | None:
    return None if value in ("auto", "logical") else _int_problem(value)
