"""Read the tests of one module off its source: names, marks, parameters, fixtures, warnings.

Collection rules: ``_pytest/python.py`` and ``_pytest/unittest.py``.
"""

from __future__ import annotations

import ast
import fnmatch
from collections.abc import Iterator, Mapping, Sequence

import attrs

from benchhygiene_plugins.ini_chain.shapes import items
from benchhygiene_plugins.ini_chain.source import (
    constant,
    decorator_call,
    dotted,
    fixture_names,
    import_aliases,
    imported_modules,
    resolved,
)

#: More ids of one test than these are not listed.
_MOST_IDS = 10_000
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@attrs.frozen
class Names:
    """Which functions and classes count as tests (``python_functions``, ``python_classes``)."""

    functions: tuple[str, ...] = ("test",)
    classes: tuple[str, ...] = ("Test",)

    def is_function(self, name: str) -> bool:
        """Return whether a function of this name is collected."""
        return _matches(name, self.functions)

    def is_class(self, name: str) -> bool:
        """Return whether a plain class of this name is collected."""
        return _matches(name, self.classes)


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(
        name.startswith(pattern)
        or (any(mark in pattern for mark in "*?[") and fnmatch.fnmatchcase(name, pattern))
        for pattern in patterns
    )


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
    ``body`` is kept for the questions only its statements can answer. ``has_empty_set`` says that a
    parametrize mark has no values at all.
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
    has_empty_set: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Return the classes' names and the function's own."""
        return (*self.classes, self.name)

    def has_mark(self, name: str) -> bool:
        """Return whether the node, its class or its module carries the mark."""
        return any(mark.name == name for mark in self.marks)


@attrs.frozen
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


def module_facts(path: str, tree: ast.Module, names: Names) -> ModuleFacts:
    """Return the facts of one parsed test module."""
    reader = _Reader(path, names, import_aliases(tree))
    marks = reader.assigned_marks(tree.body)
    return ModuleFacts(
        path=path,
        nodes=tuple(reader.read(tree.body, (), marks)),
        fixtures=tuple(fixture_names(tree.body, reader.aliases)),
        modules=tuple(imported_modules(tree)),
        aliases=reader.aliases,
        tree=tree,
        doubt=_doubt(tree, reader.aliases),
    )


def _doubt(tree: ast.Module, aliases: Mapping[str, str]) -> str | None:
    for node in tree.body:
        branches = isinstance(node, ast.If | ast.Try | ast.For | ast.While | ast.With)
        if branches and any(isinstance(i, _Function | ast.ClassDef) for i in ast.walk(node)):
            return f"line {node.lineno} may or may not define tests"
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            return f"line {node.lineno} imports names nobody can list"
    if any(value == "pytest.skip" for value in _module_calls(tree, aliases)):
        return "the module may skip itself"
    return None


def _module_calls(tree: ast.Module, aliases: Mapping[str, str]) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield resolved(node.value.func, aliases)


@attrs.frozen(hash=False)
class _Reader:
    path: str
    rules: Names
    aliases: Mapping[str, str]

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
        bases = {resolved(base, self.aliases) for base in node.bases}
        unittest = any(base.endswith("TestCase") for base in bases)
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
        ids, parametrized = self._parameters(node)
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        defaults = len(node.args.defaults)
        required = arguments[: len(arguments) - defaults] if defaults else arguments
        skipped = {"self"} if classes else set[str]()
        fixtures = [arg.arg for arg in required if arg.arg not in skipped | parametrized]
        fixtures += self._used_fixtures(node.decorator_list)
        return Node(
            self.path,
            classes,
            node.name,
            node.lineno,
            (*marks, *own),
            ids,
            tuple(fixtures),
            tuple(node.body),
            unittest,
            ids == () and bool(parametrized),
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

    def _parameters(self, node: _Function) -> tuple[tuple[str, ...] | None, set[str]]:
        """Return the ids of all parameter sets, and the argument names they fill."""
        ids: tuple[str, ...] | None = ()
        names: set[str] = set()
        for decorator in reversed(node.decorator_list):
            named, call = decorator_call(decorator)
            if call is None or resolved(named, self.aliases) != "pytest.mark.parametrize":
                continue
            own, filled = _parameter_ids(call)
            names |= filled
            ids = None if own is None or ids is None else _combined(ids, own)
        return ids, names


def _combined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...] | None:
    if not first:
        return second
    if len(first) * len(second) > _MOST_IDS:
        return None
    return tuple(f"{one}-{two}" for two in second for one in first)


def _mark(name: str, call: ast.Call | None) -> Mark:
    if call is None:
        return Mark(name)
    strict = next((word.value for word in call.keywords if word.arg == "strict"), None)
    known, value = constant(strict)
    conditional = bool(call.args) or any(
        word.arg in ("condition", "raises", "run") for word in call.keywords
    )
    return Mark(name, bool(value) if known else None, conditional)


def _parameter_ids(call: ast.Call) -> tuple[tuple[str, ...] | None, set[str]]:
    """Return one decorator's ids as pytest would make them, where they can be known."""
    known, names = constant(call.args[0]) if call.args else (False, None)
    if not known:
        return None, set()
    split = names.split(",") if isinstance(names, str) else items(names) or ()
    filled = {str(name).strip() for name in split}
    given = next((word.value for word in call.keywords if word.arg == "ids"), None)
    if given is not None:
        texts = [item for item in items(constant(given)[1]) or () if isinstance(item, str)]
        complete = len(texts) == len(items(constant(given)[1]) or ()) and bool(texts)
        return (tuple(texts) if complete else None), filled
    values = items(constant(call.args[1])[1]) if len(call.args) > 1 else None
    if values is None or len(filled) != 1:
        return None, filled
    return _plain_ids(values), filled


def _plain_ids(values: Sequence[object]) -> tuple[str, ...] | None:
    if not all(isinstance(value, str | int | float | bool | None) for value in values):
        return None
    if not all(str(value).isascii() and str(value).isprintable() for value in values):
        return None
    return tuple(str(value) for value in values)
