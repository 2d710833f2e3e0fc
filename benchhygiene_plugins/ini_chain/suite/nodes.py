"""Read the tests of one module off its source: names, marks, parameters, fixtures, warnings.

Collection rules: ``_pytest/python.py`` and ``_pytest/unittest.py``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import attrs

from benchhygiene.inventory.spelling import decorator_call, dotted
from benchhygiene_plugins.ini_chain.suite.doubts import NodeDoubts, class_kind
from benchhygiene_plugins.ini_chain.suite.naming import Names
from benchhygiene_plugins.ini_chain.suite.parameters import Parameters, parameters_of
from benchhygiene_plugins.ini_chain.suite.source import (
    MOST_MODULES,
    constant,
    fixture_names,
    import_aliases,
    imported_modules,
    resolved,
)

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@attrs.frozen
class Mark:
    """One mark: its name, and whether it is ``xfail`` that could let a pass through."""

    name: str
    strict: bool | None = None
    conditional: bool = False


@attrs.frozen
class Node:
    """One test function: where it stands, and what its source says about it.

    ``ids`` are the parameter ids, empty where it has none and None where they are not known.
    ``body`` is kept for the questions only its statements can answer. ``parameters``
    says more of its parametrize marks.
    """

    path: str
    classes: tuple[str, ...]
    name: str
    line: int
    marks: tuple[Mark, ...]
    ids: tuple[str, ...] | None
    fixtures: tuple[str, ...]
    body: tuple[ast.stmt, ...]
    is_unittest: bool = False
    parameters: Parameters = attrs.field(factory=Parameters)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the classes' names and the function's own."""
        return (*self.classes, self.name)

    def has_mark(self, name: str) -> bool:
        """Return whether the node, its class or its module carries the mark."""
        return any(mark.name == name for mark in self.marks)


@attrs.frozen(eq=False, repr=False)
class ModuleFacts:
    """What one test module holds.

    ``doubt`` says why the list of nodes may be wrong, None where it is not.
    """

    path: str
    nodes: tuple[Node, ...]
    fixtures: tuple[str, ...]
    modules: tuple[tuple[str, int], ...]
    aliases: Mapping[str, str]
    tree: ast.Module
    doubt: str | None = None


@lru_cache(maxsize=MOST_MODULES)
def module_facts(path: str, tree: ast.Module, names: Names) -> ModuleFacts:
    """Return the facts of one parsed test module."""
    local = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    reader = _Reader(path, names, import_aliases(tree), local)
    marks = reader.assigned_marks(tree.body)
    return ModuleFacts(
        path=path,
        nodes=tuple(reader.read(tree.body, (), marks)),
        fixtures=tuple(fixture_names(tree.body, reader.aliases)),
        modules=tuple(imported_modules(tree)),
        aliases=reader.aliases,
        tree=tree,
        doubt=NodeDoubts(tree, reader.aliases, names).first(),
    )


@attrs.frozen(eq=False, repr=False)
class _Reader:
    path: str
    rules: Names
    aliases: Mapping[str, str]
    local: Mapping[str, ast.ClassDef]

    def read(
        self,
        body: Sequence[ast.stmt],
        classes: tuple[str, ...],
        marks: tuple[Mark, ...],
        *,
        in_unittest: bool = False,
    ) -> Iterator[Node]:
        last = {node.name: node for node in body if isinstance(node, _Function | ast.ClassDef)}
        for node in last.values():
            if isinstance(node, ast.ClassDef):
                yield from self._read_class(node, classes, marks)
            elif self._is_collected(node, in_unittest):
                yield self._node(node, classes, marks, in_unittest)

    def _is_collected(self, node: _Function, in_unittest: bool) -> bool:
        if any(self._is_fixture(decorator) for decorator in node.decorator_list):
            return False
        return node.name.startswith("test") if in_unittest else self.rules.is_function(node.name)

    def _is_fixture(self, decorator: ast.expr) -> bool:
        return resolved(decorator_call(decorator)[0], self.aliases) == "pytest.fixture"

    def _read_class(
        self, node: ast.ClassDef, classes: tuple[str, ...], marks: tuple[Mark, ...]
    ) -> Iterator[Node]:
        unittest = class_kind(node, self.local, self.aliases) == "unittest"
        has_init = any(
            isinstance(inner, _Function) and inner.name in ("__init__", "__new__")
            for inner in node.body
        )
        if not unittest and (has_init or not self.rules.is_class(node.name)):
            return
        own = (*marks, *self._marks(node.decorator_list), *self.assigned_marks(node.body))
        yield from self.read(node.body, (*classes, node.name), own, in_unittest=unittest)

    def _node(
        self, node: _Function, classes: tuple[str, ...], marks: tuple[Mark, ...], unittest: bool
    ) -> Node:
        own = tuple(self._marks(node.decorator_list))
        parameters = Parameters()
        if not unittest:  # unittest methods are never parametrized
            parameters = parameters_of(node.decorator_list, self.aliases)
        if any(mark.name == "parametrize" for mark in marks):
            parameters = Parameters(None, parameters.names, None)
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        defaults = len(node.args.defaults)
        required = arguments[: len(arguments) - defaults] if defaults else arguments
        skipped = {"self"} if classes else set[str]()
        fixtures = [arg.arg for arg in required if arg.arg not in skipped | parameters.names]
        fixtures += self._used_fixtures(node.decorator_list)
        return Node(
            self.path,
            classes,
            node.name,
            node.lineno,
            (*marks, *own),
            parameters.ids,
            tuple(fixtures),
            tuple(node.body),
            unittest,
            parameters,
        )

    def assigned_marks(self, body: Sequence[ast.stmt]) -> tuple[Mark, ...]:
        """Return the marks of a ``pytestmark = ...`` in a module or class body."""
        found: list[Mark] = []
        for node in body:
            if isinstance(node, ast.Assign) and any(
                dotted(t) == "pytestmark" for t in node.targets
            ):
                value = node.value
                items = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
                found.extend(self._marks(items))
        return tuple(found)

    def _marks(self, decorators: Sequence[ast.expr]) -> Iterator[Mark]:
        for decorator in decorators:
            named, call = decorator_call(decorator)
            name = resolved(named, self.aliases)
            if name.startswith("pytest.mark."):
                yield _mark(name.removeprefix("pytest.mark."), call)

    def _used_fixtures(self, decorators: Sequence[ast.expr]) -> list[str]:
        found: list[str] = []
        for decorator in decorators:
            named, call = decorator_call(decorator)
            if resolved(named, self.aliases) == "pytest.mark.usefixtures" and call is not None:
                found += [str(value) for known, value in map(constant, call.args) if known]
        return found


def _mark(name: str, call: ast.Call | None) -> Mark:
    if call is None:
        return Mark(name)
    strict = next((word.value for word in call.keywords if word.arg == "strict"), None)
    known, value = constant(strict)
    conditional = bool(call.args) or any(
        word.arg in ("condition", "raises", "run") for word in call.keywords
    )
    return Mark(name, bool(value) if known else None, conditional)
