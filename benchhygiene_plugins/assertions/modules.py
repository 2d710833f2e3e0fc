"""In which module of a tree an import lands, and whose code that is."""

from __future__ import annotations

import ast
import builtins
import functools
import posixpath
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.python import parse
from benchhygiene_plugins.assertions.definitions import parameters_of, positional
from benchhygiene_plugins.assertions.imports import handed_on, imported_words
from benchhygiene_plugins.assertions.module import Module

if TYPE_CHECKING:
    from benchhygiene_plugins.assertions.terms import Term

BUILTINS = frozenset(dir(builtins))
_FRAMEWORKS = frozenset(
    ("pytest", "unittest", "hypothesis", "numpy", "pandas", "mock", "contextlib", "asyncio")
)
_FOREIGN = _FRAMEWORKS | sys.stdlib_module_names
_MAX_HOPS = 8  # re-exports followed before a name is taken for what it was imported as
_MAX_PLACES = 48  # modules that are asked for a name which others hand on


def module_names(tree: SourceTree) -> frozenset[str]:
    """Return every directory and module name of a tree; made for ``tree.surveyed``."""
    found: set[str] = set()
    for path in tree.files(".py", ".pyi"):
        found.update(path.rpartition(".")[0].split("/"))
    return frozenset(found)


@attrs.frozen(slots=False, eq=False)
class Project:
    """The modules of one tree, read when they are asked for.

    ``alike`` is a project whose tree may have the same files.
    """

    tree: SourceTree
    alike: Project | None = None
    bodies: dict[int, str] = attrs.field(factory=dict[int, str], init=False)
    homes_of: dict[int, Module] = attrs.field(factory=dict[int, "Module"], init=False)
    _parameters: dict[tuple[str, str], tuple[str, ...] | None] = attrs.field(
        factory=dict["tuple[str, str]", "tuple[str, ...] | None"], init=False
    )
    resolved: dict[tuple[str, str], tuple[Module, str] | None] = attrs.field(
        factory=dict["tuple[str, str]", "tuple[Module, str] | None"], init=False
    )
    references: dict[str, Term] = attrs.field(factory=dict[str, "Term"], init=False)
    _homes: dict[str, tuple[Module, ...]] = attrs.field(
        factory=dict[str, "tuple[Module, ...]"], init=False
    )
    _importing: dict[tuple[str, str], bool] = attrs.field(
        factory=dict["tuple[str, str]", bool], init=False
    )
    _modules: dict[str, Module | None] = attrs.field(factory=dict[str, "Module | None"], init=False)

    def module(self, path: str) -> Module | None:
        """Return a file of the tree, None where it is not there or has no syntax tree."""
        if path not in self._modules:
            self._modules[path] = self._load(path)
        return self._modules[path]

    def origin(self, path: str) -> str:
        """Return where a file was in the other tree, if it has been moved as it was."""
        if self.alike is None or path in self.alike.tree.entries:
            return path
        return self._moved.get(self.tree.entries[path].identity, path)

    @functools.cached_property
    def _moved(self) -> Mapping[str, str]:
        """Return the files that only the other tree has, by what tells their contents apart."""
        if self.alike is None:
            return {}
        before, after = self.alike.tree.entries, self.tree.entries
        gone = sorted(before.keys() - after.keys(), reverse=True)
        return {before[path].identity: path for path in gone}

    def homes(self, path: str, module: Module) -> tuple[Module, ...]:
        """Return where the fixtures of a test file live: the file, and each conftest above it."""
        directory: str = posixpath.dirname(path)
        if directory not in self._homes:
            above = (self.module(one) for one in self.conftests(path))
            self._homes[directory] = tuple(one for one in above if one is not None)
        return (module, *(one for one in self._homes[directory] if one.path != module.path))

    def conftests(self, path: str) -> Iterator[str]:
        """Yield the conftests above a file, the nearest first."""
        directory: str = posixpath.dirname(path)
        while True:
            conftest: str = posixpath.join(directory, "conftest.py")
            if self.tree.is_file(conftest):
                yield conftest
            if not directory:
                return
            directory = posixpath.dirname(directory)

    def _load(self, path: str) -> Module | None:
        if not self.tree.is_file(path):
            return None
        try:
            source = self.tree.derived(path, parse)
        except EvidenceUnavailable:
            return None
        return Module(path, source) if source.module is not None else None

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """Return every directory and module name of the tree: an import of one is of the tree."""
        alike = self.alike
        if alike is not None and alike.tree.entries.keys() == self.tree.entries.keys():
            return alike.names
        return self.tree.surveyed(module_names)

    def is_own(self, dotted: str) -> bool:
        """Return whether a dotted name is likely the tree's: code under test, or the tests'."""
        root = dotted.lstrip(".").partition(".")[0]
        return dotted.startswith(".") or (root in self.names and root not in _FRAMEWORKS)

    def is_product(self, dotted: str) -> bool:
        """Return whether a dotted name may be code under test, not a framework."""
        root = dotted.lstrip(".").partition(".")[0]
        return bool(root) and (self.is_own(dotted) or root not in _FOREIGN)

    def parameters(
        self, dotted: str, importer: str, *, method: bool = False
    ) -> tuple[str, ...] | None:
        """Return the positional parameters of a function, class or method of the tree."""
        key = (dotted, importer)
        if key not in self._parameters:
            found = self._signature(dotted, importer, method=method)
            if found is None and self.alike is not None:
                # Where only the parent's can be found, both sides are read by that one.
                found = self.alike.parameters(dotted, importer, method=method)
            self._parameters[key] = found
        return self._parameters[key]

    def _signature(self, dotted: str, importer: str, *, method: bool) -> tuple[str, ...] | None:
        name = ""
        if method:
            dotted, _, name = dotted.rpartition(".")
        found = resolve(self, dotted, importer) if self.is_own(dotted) else None
        if found is None:
            return None
        module, last = found
        if last in module.functions and not method:
            return positional(module.functions[last])
        if last in module.classes:
            return parameters_of(module.classes[last], name or "__init__")
        return None

    def located(self, dotted: str, importer: str) -> tuple[Module, str] | None:
        """Return the module of the tree that a dotted name lies in, and the name in it."""
        module, _, name = dotted.rpartition(".")
        for path in self._places(module, importer):
            found = self.module(path)
            if found is not None:
                return found, name
        return None

    def place(self, dotted: str, importer: str) -> str | None:
        """Return the file of the tree that a dotted name lies in.

        None also where that file cannot hand the name on, and cannot define it for the tests. Then
        it does not matter whether it has a syntax tree, as no other file comes after it.
        """
        module, _, name = dotted.rpartition(".")
        places = [path for path in self._places(module, importer) if self.tree.is_file(path)]
        if len(places) == 1 and not is_test_side(places[0]) and not self._imports(places[0], name):
            return None
        return next((path for path in places if self._handed_on(path) is not None), None)

    def _imports(self, path: str, name: str) -> bool:
        """Return whether a file may bind a name by an import."""
        key = (path, name)
        if key not in self._importing:
            try:
                found = self.tree.derived(path, imported_words)
            except EvidenceUnavailable:
                return False
            self._importing[key] = found is None or name in found
        return self._importing[key]

    def handed_on(self, path: str, name: str) -> str | None:
        """Return the dotted name that a module's imports bind a name to, and nothing else."""
        text = self._handed_on(path) or ""
        _, found, rest = text.partition(f"\n{name}=")
        return rest.partition("\n")[0] if found else None

    def _handed_on(self, path: str) -> str | None:
        if not self.tree.is_file(path):
            return None
        try:
            return self.tree.derived(path, handed_on)
        except EvidenceUnavailable:
            return None

    def _places(self, module: str, importer: str) -> Iterator[str]:
        here: str = posixpath.dirname(importer)
        bare = module.lstrip(".")
        ups = len(module) - len(bare)
        tail = bare.replace(".", "/")
        if ups:
            base = here
            for _ in range(ups - 1):
                base = posixpath.dirname(base)
            yield from _files(posixpath.join(base, tail))
            return
        if not bare:
            return
        while True:
            yield from _files(posixpath.join(here, tail))
            yield from _files(posixpath.join(here, "src", tail))
            if not here:
                return
            here = posixpath.dirname(here)


def _files(stem: str) -> Iterator[str]:
    stem = stem.rstrip("/")
    yield f"{stem}.py"
    yield f"{stem}/__init__.py"


def is_test_side(path: str) -> bool:
    """Return whether a file belongs to the tests rather than to the code under test."""
    parts = path.split("/")
    name = parts[-1]
    if (
        name == "conftest.py"
        or name.startswith("test_")
        or name.endswith(("_test.py", "_tests.py"))
    ):
        return True
    return any(part.startswith("test") or part.endswith("tests") for part in parts)


def resolve_in_tests(project: Project, dotted: str, importer: str) -> tuple[Module, str] | None:
    """Return what ``resolve`` does where that is in a file of the tests, None where it is not."""
    key = (dotted, importer)
    if key not in project.resolved:
        project.resolved[key] = _resolve_in_tests(project, dotted, importer)
    return project.resolved[key]


def _resolve_in_tests(project: Project, dotted: str, importer: str) -> tuple[Module, str] | None:
    # Of the code under test only what it hands on is asked, so that its trees are not needed.
    for _ in range(_MAX_HOPS):
        path, name = project.place(dotted, importer), dotted.rpartition(".")[2]
        if path is None:
            return None
        onward: str | None
        module = project.module(path) if is_test_side(path) else None
        if module is not None:
            tables = (module.functions, module.classes, module.source.constants)
            if any(name in table for table in tables):
                return module, name
            onward = module.source.aliases.get(name)
        else:
            onward = project.handed_on(path, name)
        if onward is None:
            return None
        dotted, importer = onward, path
    return None


def resolve(project: Project, dotted: str, importer: str) -> tuple[Module, str] | None:
    """Return where a dotted name is defined in the tree, re-exports followed."""
    queue = [(dotted, importer)]
    for one, where in queue:
        found = project.located(one, where)
        if found is None:
            continue
        module, name = found
        if name in module.functions or name in module.classes or name in module.source.constants:
            return found
        onward = module.source.aliases.get(name)
        names = [f"{star}{name}" for star in _stars(module)] if onward is None else [onward]
        fresh = [(each, module.path) for each in names if (each, module.path) not in queue]
        queue += fresh[: _MAX_PLACES - len(queue)]
    return None


def _stars(module: Module) -> Iterator[str]:
    """Yield what a name may be imported as by each ``from ... import *`` at a module's top."""
    for statement in module.source.body:
        if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
            given = f"{'.' * statement.level}{statement.module or ''}"
            yield given if given.endswith(".") else f"{given}."
