"""Recognise the commands that run tests, and what they were asked to run."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

#: What judges a test run or a change: losing its exit status loses the gate.
_RUNNERS = {
    "pytest": "pytest",
    "py.test": "pytest",
    "unittest": "unittest",
    "nose2": "unittest",
    "nosetests": "unittest",
    "trial": "unittest",
    "stestr": "unittest",
    "green": "unittest",
    "ward": "unittest",
    "tox": "tox",
    "nox": "nox",
    "make": "make",
    "gmake": "make",
    "just": "target",
    "task": "target",
    "invoke": "target",
    "inv": "target",
    "poe": "target",
    "doit": "target",
    "mutmut": "gate",
    "benchhygiene": "gate",
    "checkwash": "gate",
    "prufgate": "gate",
}
#: What only speaks of a runner: ``pip install pytest``, ``echo pytest``.
_SPEAKERS = re.compile(
    r"pip|pip3|pipx|echo|printf|apt|apt\-get|brew|conda|mamba|which|command|git|ls|cat|rm|"
    r"mkdir|cp|mv|grep|sed|awk|find|test|export|alias|curl|wget|codecov|type|hash|touch|"
    r"chmod|cd|source|\.|unset|local|declare|read|trap|set|python\-build|dnf|yum|apk|npm|"
    r"\[\[?"
)
_INSTALLS = ("install", "add", "sync", "remove", "upgrade", "lock", "uninstall")
_PYTHON = re.compile(
    r"(?:.*/)?(?:python|pypy|py)[\d.]*(?:\.exe)?|\$\{?PYTHON\}?|.*\bpython[\d.]*\}?"
)
_TARGET = re.compile(
    r"(?:^|[-_:./])(?:tests?|testing|check|checks|ci|pytest|units?|integration|e2e|verify|cov|coverage|"
    r"qa|all|tox|nox|unittest|property|regression|smoke|doctest|gate)(?:$|[-_:./0-9])",
    re.IGNORECASE,
)
_SCRIPT = re.compile(r".*(?:test|check|ci|verify|coverage)[^/]*\.(?:sh|bash|py)", re.IGNORECASE)
_ENVIRONMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.ASCII | re.DOTALL)


@attrs.frozen
class Run:
    """What a command runs: the runner's kind, and the words after its name.

    ``kind`` is pytest, unittest, tox, nox, make, target (of a task runner), script or gate.
    """

    kind: str
    words: tuple[str, ...]

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the words that are no options."""
        return tuple(word for word in self.words if not word.startswith("-") and "=" not in word)


def run_of(words: tuple[str, ...], environment: tuple[str, ...] = ()) -> Run | None:
    """Return what a command runs where that is tests, None for every other command.

    ``PYTEST_ADDOPTS`` among the assignments counts as words of pytest's own command.
    """
    found = _found(_bare(words))
    if found is None or found.kind != "pytest":
        return found
    assigned = [*environment, *(word for word in words if "=" in word)]
    return Run("pytest", (*_addopts(assigned), *found.words))


def _addopts(assigned: list[str]) -> Iterator[str]:
    for one in assigned:
        match = _ENVIRONMENT.fullmatch(one)
        if match and match[1] == "PYTEST_ADDOPTS":
            yield from match[2].split()


def _bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words from the command's own name on."""
    index = 0
    while index < len(words) and (
        words[index] in ("env", "-") or _ENVIRONMENT.fullmatch(words[index])
    ):
        index += 1
    return words[index:]


def _found(words: tuple[str, ...]) -> Run | None:
    if not words or _is_speech(words):
        return None
    for index, word in enumerate(words):
        name = word.rpartition("/")[2]
        rest = words[index + 1 :]
        if name == "setup.py" and rest[:1] == ("test",):
            return Run("unittest", rest[1:])
        if name == "manage.py" and rest[:1] == ("test",):
            return Run("unittest", rest[1:])
        if name == "coverage" and rest[:1] in (("report",), ("xml",)):
            floor = any(each.startswith("--fail-under") for each in rest)
            return Run("gate", rest) if floor else None
        if name in _RUNNERS and _is_named(words, index):
            return _run(_RUNNERS[name], rest)
        if name in ("hatch", "pdm", "rye", "pixi", "poetry", "uv", "pipenv") and _is_task(rest):
            return _task(rest)
    return _script(words)


def _is_speech(words: tuple[str, ...]) -> bool:
    head = words[0].rpartition("/")[2]
    if _SPEAKERS.fullmatch(head):
        return True
    return any(word in _INSTALLS for word in words[1:4]) and head != "make"


def _is_named(words: tuple[str, ...], index: int) -> bool:
    """Return whether a word is the command's name, not the argument of another."""
    if index == 0:
        return True
    before = words[index - 1]
    is_value = before.startswith("-") and before not in ("-m", "--", "-u")
    return not is_value or before in ("-q", "-s", "-e", "-x", "-a", "-v", "-i")


def _run(kind: str, rest: tuple[str, ...]) -> Run | None:
    if kind in ("make", "target"):
        run = Run(kind, rest)
        named = [word for word in run.targets if _TARGET.search(word)]
        return run if named else None
    if kind in ("tox", "nox"):
        return None if {"--list", "-l", "--version", "--notest"} & {*rest} else Run(kind, rest)
    return Run(kind, rest)


def _is_task(rest: tuple[str, ...]) -> bool:
    return rest[:1] == ("test",) or (
        rest[:1] == ("run",) and len(rest) > 1 and _TARGET.search(rest[1]) is not None
    )


def _task(rest: tuple[str, ...]) -> Run | None:
    inner = rest[1:] if rest[0] == "run" else ("test", *rest[1:])
    if inner and _SCRIPT.fullmatch(inner[0]):
        return Run("script", inner)
    return Run("target", inner)


def _script(words: tuple[str, ...]) -> Run | None:
    """Return what a script runs whose name says that it tests: ``./ci/test.sh``."""
    for word in words:
        if _SCRIPT.fullmatch(word) or re.fullmatch(r"\.?/?(?:[\w-]+/)*(?:run[-_]?)?tests?", word):
            is_path = "/" in word or word.endswith((".sh", ".py", ".bash"))
            if is_path:
                return Run("script", words[words.index(word) :])
        if not (word.startswith("-") or _PYTHON.fullmatch(word) or _WRAPPERS.fullmatch(word)):
            return None
    return None


_WRAPPERS = re.compile(r"bash|sh|zsh|exec|time|sudo|nice|nohup|xvfb-run|coverage|run|poetry|uv")
