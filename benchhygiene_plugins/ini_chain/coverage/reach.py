"""Say which sources of a workspace a run certainly imports, and which it may.

A module that nothing names can still be loaded by code that makes names up; where such code may run
every source may be loaded.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from benchhygiene.evidence import FileSnapshot
from benchhygiene_plugins.ini_chain.coverage.bounds import Names
from benchhygiene_plugins.ini_chain.suite.source import Unparsed, parse

#: Names with which code runs files that it does not name, here or in a process of its own.
_LOADS = frozenset(
    {"import_module", "__import__", "importlib", "runpy", "run_path", "run_module", "pkgutil"}
    | {"exec", "eval", "compile", "imp", "subprocess", "Popen", "system", "spawn", "fork"}
    | {"multiprocessing", "ProcessPoolExecutor", "pytester", "testdir", "runpytest", "zipimport"}
)


@attrs.frozen(eq=False, repr=False)
class Reach:
    """The sources that load and those that may, with every name in either.

    ``unread`` says that one which may load could not be read.
    """

    certain: Mapping[str, ast.Module]
    perhaps: Mapping[str, ast.Module]
    names: Names
    unread: bool


def reach(files: FileSnapshot, certain: Mapping[str, ast.Module], named: Iterable[str]) -> Reach:
    """Return what may load besides the certain sources; ``named`` are names from elsewhere."""
    walk = _Walk(files, files.modules)
    walk.take(Names.of(certain.values()) | Names(frozenset(), frozenset(named)), certain)
    for path in certain:
        walk.take_packages(path)
    walk.run(certain)
    return Reach(certain, walk.found, walk.names, walk.unread)


@attrs.define(eq=False, repr=False)
class _Walk:
    files: FileSnapshot
    sources: Mapping[str, Sequence[str]]
    names: Names = attrs.field(factory=lambda: Names(frozenset(), frozenset()))
    pending: dict[str, None] = attrs.field(factory=dict[str, None])
    found: dict[str, ast.Module] = attrs.field(factory=dict[str, ast.Module])
    unread: bool = False

    def take(self, names: Names, known: Mapping[str, ast.Module]) -> None:
        """Note the names of a source and every file they could stand for."""
        before = self.names
        self.names = before | names
        fresh = (self.names.identifiers | self.names.words) - before.identifiers - before.words
        loads = not self.names.identifiers.isdisjoint(_LOADS)
        for name in self.sources if loads else fresh & self.sources.keys():
            if loads or name != "__main__":
                paths = self.sources[name]
                self.pending |= {path: None for path in paths if path not in known}

    def take_packages(self, path: str) -> None:
        """Note the ``__init__`` of every package that a source lies in."""
        for init in _packages(self.files, path):
            self.pending[init] = None

    def run(self, certain: Mapping[str, ast.Module]) -> None:
        while self.pending:
            path = next(iter(self.pending))
            del self.pending[path]
            if path in self.found or path in certain:
                continue
            tree = parse(self.files, path)
            if isinstance(tree, Unparsed):
                self.unread = self.unread or not tree.broken
                continue
            self.found[path] = tree
            self.take_packages(path)
            self.take(Names.of([tree]), self.found)


def _packages(files: FileSnapshot, path: str) -> Iterator[str]:
    directory = posixpath.dirname(path)
    while files.is_file(init := posixpath.join(directory, "__init__.py")):
        yield init
        if directory == posixpath.dirname(directory):
            return
        directory = posixpath.dirname(directory)
