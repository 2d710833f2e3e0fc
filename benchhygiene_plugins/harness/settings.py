"""Settings and commands, in files of any kind, that take assert statements out of force."""

from __future__ import annotations

import itertools
import posixpath
import re
from collections import Counter
from collections.abc import Iterator

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene_plugins.harness.deeds import Act, Deed, Place, Weight

_LARGEST = 1_000_000  # bytes of a file that is no more than data
_PROSE = (
    ".md", ".rst", ".html", ".csv", ".tsv", ".svg", ".xml", ".lock", ".ipynb", ".po", ".jsonl",
    ".pyi", ".pyc", ".so", ".png", ".adoc",
)  # fmt: skip
_VARIABLE = re.compile(r"PYTHONOPTIMIZE\s*(?:\+|\?|:)?[=: ]\s*(?P<value>[^\s#;&|]+)")
_PLAIN = re.compile(r"--assert(?:=|\s{1,9})plain\b|-p[ \t]{0,9}no:assertion\b")
_OPTIMIZED = re.compile(
    r"(?:\bpython[\d.]{0,6}|\bpypy[\d.]{0,6}|\$[({]?\w*PY\w*[)}]?|\{envpython\}|\{posargs:python\})"
    r"(?P<flags>(?:[ \t]+-[a-zA-Z]+){0,6}?)[ \t]+-[bBdEiIPqsSuvx]*O{1,2}m?(?!\w)"
)
_RUNNER = re.compile(r"pytest|unittest|py\.test|nose|trial|test")
_ASSIGNED = re.compile(r"^\s*(?:export\s+)?\w*(?:PY|TEST|RUN)\w*\s*[:?+]?=")
_SHEBANG = re.compile(r"^#!.*\bpython[\d.]*\s+-[a-zA-Z]*O")
_FLAG = re.compile(r"[ \t]+-[bBdEiIPqsSuvx]*O{1,2}(?=m?(?!\w))")
_QUOTES = str.maketrans("\"',[]", "     ")
_PLUGIN = re.compile(r"(?:^|\s)-p[ \t=]{0,9}(?P<name>(?!no:)[A-Za-z_][\w.]*)")


def deeds(tree: SourceTree, path: str) -> tuple[Deed, ...]:
    """Return what a file of settings or commands does; nothing for prose and data."""
    if not tree.is_file(path) or path.endswith((*_PROSE, ".py")):
        return ()
    try:
        data = tree.read(path)
    except EvidenceUnavailable:
        return ()
    if len(data) > _LARGEST or b"\x00" in data[:4096]:
        return ()
    if not any(word in data for word in (b"O", b"-p", b"--assert")):
        return ()
    text = data.decode("utf-8", errors="replace")
    return tuple(_deeds(text, path))


def _deeds(text: str, path: str) -> Iterator[Deed]:
    lines = text.splitlines()
    plain = [_bare(line) for line in lines]
    known = Counter(" ".join(line.split()) for line in plain)
    for number, line in enumerate(plain, start=1):
        if len(line) > 5_000:
            continue
        place = Place(path, number, 1, lines[number - 1].strip()[:1_000])
        found = _VARIABLE.search(line)
        if found is not None and found["value"] not in ("0", "''", "null", "~"):
            says = "PYTHONOPTIMIZE is set: assert statements do nothing"
            yield Deed(Act.ASSERTS, "PYTHONOPTIMIZE", says, place)
        if _PLAIN.search(line):
            yield _not_rewritten(place)
        if _is_optimized(line, number):
            without = " ".join(_FLAG.sub("", line).split())
            is_added = known[without] and without != " ".join(line.split())
            weight = Weight.PLAUSIBLE if is_added else Weight.GRAVE
            says = "the tests are run without their assert statements"
            yield Deed(Act.ASSERTS, "python -O", says, place, weight=weight)
        if _holds_options(path, line):
            for one in _PLUGIN.finditer(line):
                says = f"pytest loads {one['name']} before everything else"
                what = f"-p {one['name']}"
                yield Deed(Act.PATCH, what, says, place, weight=Weight.PLAUSIBLE)
    yield from _across_lines(plain, lines, path)


def _not_rewritten(place: Place) -> Deed:
    return Deed(
        Act.ASSERTS, "--assert=plain", "pytest's rewriting of assert statements is off", place
    )


def _across_lines(plain: list[str], lines: list[str], path: str) -> Iterator[Deed]:
    """Yield the option that two lines of a list make: ``"--assert",`` and ``"plain"``."""
    for number, (line, following) in enumerate(itertools.pairwise(plain), start=1):
        if line.strip().endswith("--assert") and following.strip().startswith("plain"):
            yield _not_rewritten(Place(path, number, 1, lines[number - 1].strip()[:1_000]))


def _bare(line: str) -> str:
    """Return a line without its comment, quotes and brackets."""
    stripped = line.strip()
    if stripped.startswith((";", "//")) or (
        stripped.startswith("#") and not stripped.startswith("#!")
    ):
        return ""
    return line.translate(_QUOTES)


def _is_optimized(line: str, number: int) -> bool:
    if "O" not in line:
        return False
    if number == 1 and _SHEBANG.match(line):
        return True
    found = _OPTIMIZED.search(line)
    if found is None:
        return False
    rest = line[found.end() :]
    if "compileall" in rest:
        return False
    return _RUNNER.search(rest) is not None or _ASSIGNED.match(line) is not None


def _holds_options(path: str, line: str) -> bool:
    name = posixpath.basename(path)
    is_ini = name in ("pyproject.toml", "tox.ini", "setup.cfg") or "pytest" in name
    return is_ini and "-p" in line


def shebang_deeds(tree: SourceTree, path: str) -> Iterator[Deed]:
    """Yield what the first line of a Python file says of how it is run."""
    if not tree.is_file(path):
        return
    try:
        line = tree.read(path)[:300].partition(b"\n")[0].decode(errors="replace")
    except EvidenceUnavailable:
        return
    if _SHEBANG.match(line):
        says = "the file is run without its assert statements"
        yield Deed(Act.ASSERTS, "python -O", says, Place(path, 1, 1, line))
