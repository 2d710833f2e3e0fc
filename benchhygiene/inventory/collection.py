"""What pytest would collect from a tree, read off the sources: nothing is run."""

from __future__ import annotations

import ast
import fnmatch
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.python import FunctionNode, PythonFile, decorator_call, dotted, parse


@attrs.frozen
class CollectionRules:
    """Which files, classes and functions pytest looks at; patterns are pytest's."""

    python_files: tuple[str, ...] = ("test_*.py", "*_test.py")
    python_classes: tuple[str, ...] = ("Test",)
    python_functions: tuple[str, ...] = ("test",)
    testpaths: tuple[str, ...] = ()
    norecursedirs: tuple[str, ...] = (
        "*.egg",
        ".*",
        "_darcs",
        "build",
        "CVS",
        "dist",
        "node_modules",
        "venv",
        "{arch}",
    )

    @classmethod
    def of(cls, tree: SourceTree) -> CollectionRules:
        """Return the rules that the config file at the tree's root sets."""
        del tree
        return cls()

    def is_test_file(self, path: str) -> bool:
        """Return whether pytest, run on the whole tree, would import the file for tests."""
        name = posixpath.basename(path)
        return name.endswith(".py") and any(fnmatch.fnmatch(name, p) for p in self.python_files)

    def is_function(self, name: str) -> bool:
        """Return whether a function of this name is a test."""
        return _matches(name, self.python_functions)

    def is_class(self, name: str) -> bool:
        """Return whether a class of this name is looked into."""
        return _matches(name, self.python_classes)


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(
        name.startswith(pattern) or (set("*?[") & set(pattern) and fnmatch.fnmatch(name, pattern))
        for pattern in patterns
    )


@attrs.frozen
class Parameters:
    """The parameter sets of one node.

    ``count`` is 0 without parametrization and None where it is not known; ``ids`` are the texts in
    the brackets, None where not all of them are known.
    """

    count: int | None = 0
    ids: tuple[str, ...] | None = ()


@attrs.frozen(eq=False)
class Node:
    """One test, without its parameters.

    ``path`` is where pytest collects it and ``definition_path`` where its function stands: another
    file for what is inherited or imported. ``classes`` are the classes around it in the node id,
    outermost first, ``node_id`` is relative to the tree's root.
    """

    node_id: str
    path: str
    definition_path: str
    qualname: str
    definition: FunctionNode
    classes: tuple[ast.ClassDef, ...] = ()
    parameters: Parameters = Parameters()
    is_unittest: bool = False

    @property
    def name(self) -> str:
        """Return the last part of the node id."""
        return self.qualname.rpartition(".")[2]

    @property
    def line(self) -> int:
        """Return the line of the function's ``def``."""
        return self.definition.lineno


@attrs.frozen
class Unseen:
    """A file whose tests are not known, or not all of them, and why."""

    path: str
    reason: str
    is_broken: bool = False


@attrs.frozen(eq=False)
class Collection:
    """Every node of a tree, sorted by file and then in the order of the file."""

    nodes: tuple[Node, ...] = ()
    unseen: tuple[Unseen, ...] = ()

    def by_id(self) -> Mapping[str, Node]:
        """Return the nodes by their node ids."""
        return {node.node_id: node for node in self.nodes}


def collect(
    tree: SourceTree, rules: CollectionRules, paths: Iterable[str] | None = None
) -> Collection:
    """Return what pytest would collect from these files, by default from all of the tree."""
    nodes: list[Node] = []
    unseen: list[Unseen] = []
    for path in sorted(tree.files(".py") if paths is None else paths):
        if not rules.is_test_file(path):
            continue
        try:
            source = tree.derived(path, parse)
        except EvidenceUnavailable as error:
            unseen.append(Unseen(path, str(error).removeprefix(f"{path}: ")))
            continue
        if source.error is not None:
            unseen.append(Unseen(path, source.error, source.is_broken))
        nodes.extend(_Reader(path, source, rules).nodes())
    return Collection(tuple(nodes), tuple(unseen))


@attrs.frozen(eq=False)
class _Reader:
    path: str
    source: PythonFile
    rules: CollectionRules

    def nodes(self) -> Iterator[Node]:
        yield from self._read(self.source.body, ())

    def _read(
        self, body: Sequence[ast.stmt], classes: tuple[ast.ClassDef, ...], *, unit: bool = False
    ) -> Iterator[Node]:
        last = {n.name: n for n in body if isinstance(n, FunctionNode | ast.ClassDef)}
        for node in last.values():
            if isinstance(node, ast.ClassDef):
                yield from self._class(node, classes)
            elif self._is_test(node, unit=unit):
                names = [*(one.name for one in classes), node.name]
                node_id = "::".join([self.path, *names])
                qualname = ".".join(names)
                yield Node(node_id, self.path, self.path, qualname, node, classes, is_unittest=unit)

    def _is_test(self, node: FunctionNode, *, unit: bool) -> bool:
        named = (self.source.resolved(decorator_call(one)[0]) for one in node.decorator_list)
        if "pytest.fixture" in named:
            return False
        return node.name.startswith("test") if unit else self.rules.is_function(node.name)

    def _class(self, node: ast.ClassDef, classes: tuple[ast.ClassDef, ...]) -> Iterator[Node]:
        unit = any(dotted(base).endswith("TestCase") for base in node.bases)
        methods = {inner.name for inner in node.body if isinstance(inner, FunctionNode)}
        if not unit and (methods & {"__init__", "__new__"} or not self.rules.is_class(node.name)):
            return
        yield from self._read(node.body, (*classes, node), unit=unit)
