"""Bound the total that pytest-cov would compare with a coverage floor.

Rules: coverage.py's ``inorout.py`` (which files are measured) and ``results.py`` (rounding).
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

import attrs

from benchhygiene.evidence import FileSnapshot
from benchhygiene_plugins.ini_chain.configuration.search import lexical
from benchhygiene_plugins.ini_chain.coverage.bounds import Bounds, loaded, unloaded
from benchhygiene_plugins.ini_chain.coverage.lines import Lines, counted_lines
from benchhygiene_plugins.ini_chain.coverage.reach import Reach
from benchhygiene_plugins.ini_chain.suite.source import Unparsed, parse, walked

_PRAGMA = b"pragma"
_IMPORTABLE = re.compile(r"[^.#~!$@%^&*()+=,]+\.pyw?")
_BRANCHING = (
    ast.If
    | ast.For
    | ast.AsyncFor
    | ast.While
    | ast.match_case
    | ast.comprehension
    | ast.With
    | ast.AsyncWith
    | ast.ExceptHandler
    | ast.IfExp
    | ast.BoolOp
    | ast.Try
    | ast.TryStar
)

Tests = Mapping[str, Mapping[int, bool | None]]


class _NotKnown(Exception):
    """Say that the bounds cannot be known."""


@attrs.frozen(eq=False, repr=False)
class Measure:
    """One measurement: what runs, which tests are selected, whether branches count too."""

    files: FileSnapshot
    cwd: str
    reach: Reach
    tests: Tests
    branch: bool = False

    def percent(self, sources: Sequence[str] | None) -> tuple[float, float] | None:
        """Return the lowest and the highest total, None where they cannot be known.

        ``sources`` is what ``--cov`` names, None where it measures all that runs.
        """
        if self.reach.unread:
            return None
        try:
            sure, perhaps = self._measured(sources)
            bounds = [self._bounds(path) for path in sorted(sure)]
            others = [self._bounds(path) for path in sorted(perhaps - sure)]
        except (_NotKnown, RecursionError):
            return None
        return _total(bounds, others)

    def _measured(self, sources: Sequence[str] | None) -> tuple[set[str], set[str]]:
        """Return the files that are measured and those that may be."""
        if sources is None:
            return {*self.reach.certain}, {*self.reach.perhaps}
        sure: set[str] = set()
        perhaps: set[str] = set()
        for source in sources:
            directory = lexical(self.cwd, source)
            found = self._below(directory) if self.files.is_dir(directory) else self._named(source)
            sure |= found[0]
            perhaps |= found[1]
        return sure, perhaps

    def _below(self, directory: str) -> tuple[set[str], set[str]]:
        """Measure a directory: what lies in it and its packages, and what else loads from it."""
        # coverage compares physical paths: a test behind a link may lie outside.
        prefix = self.files.real(directory).rstrip("/") + "/"
        certain, perhaps = (
            {path for path in paths if self.files.real(path).startswith(prefix)}
            for paths in (self.reach.certain, self.reach.perhaps)
        )
        return {*self._importable(directory), *certain}, perhaps

    def _named(self, source: str) -> tuple[set[str], set[str]]:
        """Measure a module or package by its name, wherever it is imported from."""
        tail = source.replace(".", "/")
        inits = [path for path in self._loading() if path.endswith(f"/{tail}/__init__.py")]
        modules = {path for path in self._loading() if path.endswith(f"/{tail}.py")}
        inside = {path for path in self._loading() if f"/{tail}/" in path}
        idle = {path for init in inits for path in self._importable(posixpath.dirname(init))}
        everything = modules | inside | idle
        expected = {lexical(self.cwd, f"{tail}.py")} & modules & self.reach.certain.keys()
        if everything == expected:
            return expected, set()
        return set(), everything

    def _loading(self) -> Iterator[str]:
        yield from self.reach.certain
        yield from self.reach.perhaps

    def _importable(self, directory: str) -> Iterator[str]:
        """Yield what coverage finds itself: sources in the directory and in packages below."""
        if not self.files.is_listed(directory):
            raise _NotKnown(directory)
        for path in self.files.below(directory):
            if self.files.is_dir(path) and self._is_unseen(directory, path):
                raise _NotKnown(path)
            named = _IMPORTABLE.fullmatch(posixpath.basename(path))
            if named and self.files.is_file(path) and self._is_in_packages(directory, path):
                yield path

    def _is_unseen(self, top: str, path: str) -> bool:
        inside = self._is_in_packages(top, posixpath.join(path, "x.py"))
        return inside and not self.files.is_listed(path)

    def _is_in_packages(self, top: str, path: str) -> bool:
        parent = posixpath.dirname(path)
        while parent != top:
            entry = self.files.entries.get(parent)
            if entry is not None and entry.real is not None:
                return False  # os.walk does not follow links
            if not self.files.is_file(posixpath.join(parent, "__init__.py")):
                return False
            parent = posixpath.dirname(parent)
        return True

    def _bounds(self, path: str) -> Bounds:
        certain = path in self.reach.certain
        tree = self.reach.certain.get(path) or self.reach.perhaps.get(path)
        idle = tree is None
        tree = tree or self._parsed(path)
        lines = self._lines(path, tree)
        extra = _branches(tree) if self.branch else 0
        if idle:
            return unloaded(lines) + Bounds(idle=extra)
        tests = self.tests.get(path, {})
        own = loaded(tree, lines, self.reach.names, tests, certain=certain)
        return own + Bounds(optional=extra)

    def _parsed(self, path: str) -> ast.Module:
        tree = parse(self.files, path)
        if isinstance(tree, Unparsed):
            raise _NotKnown(path)
        return tree

    def _lines(self, path: str, tree: ast.Module) -> Lines:
        data = self.files.read(path)
        lines = None if _PRAGMA in data.lower() else counted_lines(tree, data)
        if lines is None:
            raise _NotKnown(path)
        return lines


def _branches(tree: ast.Module) -> int:
    """Return how many branches a file has at most."""
    return 2 * sum(isinstance(node, _BRANCHING) for node in walked(tree))


def _total(sure: Sequence[Bounds], perhaps: Sequence[Bounds]) -> tuple[float, float]:
    """Return the range of the total; each file in ``perhaps`` may be left out of it."""
    if not sure and not perhaps:
        return 0.0, 0.0  # no data: the total counts as 0
    known, all_of_it = sum(sure, Bounds()), sum((*sure, *perhaps), Bounds())
    if not perhaps:
        return known.percent()
    low = 100.0 * known.certain / all_of_it.most if sure and all_of_it.most else 0.0
    # Of several fractions and their mediants, none exceeds the largest single one.
    highs = [bounds.percent()[1] for bounds in (*perhaps, all_of_it)]
    return low, max([known.percent()[1], *highs] if sure else highs)


def misses(percent: tuple[float, float], floor: float) -> bool | None:
    """Return whether a total in the range misses a floor, None where that is open.

    Newer versions round the total to the floor's decimals before they compare, older ones do not.
    """
    low, high = percent
    decimals = len(repr(floor).rstrip("0").partition(".")[2])
    if high < floor and (floor == 100 or round(high, decimals) < floor):
        return True
    return False if low >= floor else None
