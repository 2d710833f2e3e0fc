"""What pytest would collect from a tree, read off the sources: nothing is run.

Rules: ``_pytest/python.py`` and ``_pytest/unittest.py`` of pytest 7.4 to 9.2.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import EntryKind, SourceTree
from benchhygiene.inventory.bindings import Doubt, Scope
from benchhygiene.inventory.doctests import doctests
from benchhygiene.inventory.fixtures import Fixtures
from benchhygiene.inventory.marks import Marks
from benchhygiene.inventory.members import Members
from benchhygiene.inventory.modules import Module, Modules
from benchhygiene.inventory.nodes import (
    Collection,
    Doctest,
    Node,
    PassedOver,
    Reason,
    Unseen,
)
from benchhygiene.inventory.parameters import Parameters
from benchhygiene.inventory.python import parse
from benchhygiene.inventory.rules import CollectionRules
from benchhygiene.inventory.wrappers import Wrappers

__all__ = [
    "Collection",
    "CollectionRules",
    "Doctest",
    "Node",
    "Parameters",
    "PassedOver",
    "Reason",
    "Unseen",
    "collect",
]


def collect(
    tree: SourceTree,
    rules: CollectionRules,
    paths: Iterable[str] | None = None,
    only: Mapping[str, Container[str]] | None = None,
) -> Collection:
    """Return what pytest would collect from these files, by default from all of the tree.

    Of a file in ``only``, tests with other qualified names than these are left out, also where they
    are passed over; what cannot be seen is as complete as without it.
    """
    collector = _Collector(tree, rules, only or {})
    for path in sorted(tree.entries if paths is None else set(paths)):
        collector.read(path)
    return Collection(
        tuple(collector.nodes),
        tuple(collector.passed_over),
        tuple(dict.fromkeys(collector.unseen)),
        tuple(collector.doctests),
    )


@attrs.define(eq=False)
class _Collector:
    tree: SourceTree
    rules: CollectionRules
    only: Mapping[str, Container[str]]
    nodes: list[Node] = attrs.field(factory=list[Node], init=False)
    passed_over: list[PassedOver] = attrs.field(factory=list[PassedOver], init=False)
    unseen: list[Unseen] = attrs.field(factory=list[Unseen], init=False)
    doctests: list[Doctest] = attrs.field(factory=list[Doctest], init=False)
    modules: Modules = attrs.field(init=False)
    marks: Marks = attrs.field(init=False)
    wrappers: Wrappers = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.modules = Modules(self.tree, self.rules.pythonpath)
        self.marks = Marks(self.modules, Fixtures(self.modules))
        self.wrappers = Wrappers(self.modules)

    def read(self, path: str) -> None:
        kind = self.tree.entries[path].kind if path in self.tree.entries else None
        if kind is EntryKind.SYMLINK and self.rules.is_test_file(path):
            self.unseen.append(Unseen(path, "a symbolic link, which is not followed"))
        if kind is not EntryKind.FILE:
            return
        try:
            self.doctests.extend(doctests(self.tree, path, self.rules))
            if self.rules.is_test_file(path):
                self._read_tests(path)
        except EvidenceUnavailable as error:
            self.unseen.append(Unseen(path, str(error).removeprefix(f"{path}: ")))
        except RecursionError:
            self.unseen.append(Unseen(path, "too deeply nested to be followed"))

    def _read_tests(self, path: str) -> None:
        file = self.tree.derived(path, parse)
        if file.error is not None:
            self.unseen.append(Unseen(path, file.error, file.is_broken))
            return
        module = self.modules.at(path)
        if module is None:
            return
        members = Members(
            self.modules, self.marks, self.wrappers, self.rules, module, self.only.get(path)
        )
        members.read()
        self.nodes.extend(members.nodes)
        self.passed_over.extend(members.passed_over)
        self.unseen.extend(members.unseen)
        self.unseen.extend(_doubts(module))


def _doubts(module: Module) -> Iterator[Unseen]:
    yield from _doubts_of(module.scope, module.path, "")


def _doubts_of(scope: Scope, path: str, prefix: str) -> Iterator[Unseen]:
    for doubt in scope.doubts:
        yield _unseen(doubt, path, prefix)
    for name, binding in scope.names.items():
        inner = getattr(binding, "scope", None)
        if isinstance(inner, Scope):
            yield from _doubts_of(inner, path, f"{prefix}{name}::")


def _unseen(doubt: Doubt, path: str, prefix: str) -> Unseen:
    return Unseen(
        path,
        doubt.reason,
        line=doubt.line,
        prefix=prefix,
        pattern=doubt.pattern,
        hides=doubt.hides,
    )
