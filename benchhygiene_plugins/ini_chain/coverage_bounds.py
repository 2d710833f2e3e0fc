"""Bound the coverage a run would measure, from the sources alone.

Counted like coverage.py counts: one per executable statement, docstrings left out. A statement is
certain where a passing test must reach it, impossible where nothing that loads names the function
it stands in, and open otherwise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from benchhygiene_plugins.ini_chain.source import walked

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@attrs.frozen
class Bounds:
    """How many statements there are, how many certainly run and how many at most do."""

    total: int = 0
    certain: int = 0
    possible: int = 0

    def __add__(self, other: Bounds) -> Bounds:
        """Return the bounds of two files together."""
        return Bounds(
            self.total + other.total,
            self.certain + other.certain,
            self.possible + other.possible,
        )

    def percent(self) -> tuple[float, float]:
        """Return the lowest and the highest coverage in percent.

        Nothing to measure counts as 100, as coverage.py has it.
        """
        if not self.total:
            return 100.0, 100.0
        return 100.0 * self.certain / self.total, 100.0 * self.possible / self.total


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield every executable statement below a body, itself included."""
    for index, node in enumerate(body):
        if index == 0 and _is_docstring(node):
            continue
        if isinstance(node, ast.Global | ast.Nonlocal):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        yield node
        for inner in _bodies(node):
            yield from statements(inner)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        inner = getattr(node, name, None)
        if inner:
            yield inner
    for handler in getattr(node, "handlers", ()):
        yield [*handler.body]
    for case in getattr(node, "cases", ()):
        yield [*case.body]


def unloaded(tree: ast.Module) -> Bounds:
    """Return the bounds of a file that is measured although nothing imports it."""
    return Bounds(total=sum(1 for _ in statements(tree.body)))


def loaded(tree: ast.Module, named: frozenset[str], tests: Mapping[int, bool]) -> Bounds:
    """Return the bounds of a file that is imported.

    ``named`` are the names that occur anywhere in loaded code. ``tests`` maps the line of a test
    function to whether it is selected.
    """
    return _block(tree.body, named, tests, certain=True)


def _block(
    body: Sequence[ast.stmt], named: frozenset[str], tests: Mapping[int, bool], *, certain: bool
) -> Bounds:
    bounds = Bounds()
    reached = certain
    for index, node in enumerate(body):
        if (index == 0 and _is_docstring(node)) or isinstance(node, ast.Global | ast.Nonlocal):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        bounds += Bounds(1, int(reached), 1)
        bounds += _inside(node, named, tests, certain=reached)
        if isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break):
            reached = False
        elif not isinstance(node, _Function | ast.ClassDef) and any(_bodies(node)):
            # A branch may leave the block, so what follows it is no longer certain.
            reached = reached and not _may_leave(node)
    return bounds


def _may_leave(node: ast.stmt) -> bool:
    leaving = ast.Return | ast.Raise | ast.Continue | ast.Break
    return any(isinstance(inner, leaving) for inner in ast.walk(node))


def _inside(
    node: ast.stmt, named: frozenset[str], tests: Mapping[int, bool], *, certain: bool
) -> Bounds:
    if isinstance(node, ast.ClassDef):
        return _block(node.body, named, tests, certain=certain)
    if isinstance(node, _Function):
        return _function(node, named, tests)
    if isinstance(node, ast.With | ast.AsyncWith):
        return _block(node.body, named, tests, certain=certain)
    parts = [_block(inner, named, tests, certain=False) for inner in _bodies(node)]
    return sum(parts, Bounds())


def _function(node: _Function, named: frozenset[str], tests: Mapping[int, bool]) -> Bounds:
    selected = tests.get(node.lineno)
    if selected is not None:
        inner = _block(node.body, named, tests, certain=selected)
        return inner if selected else attrs.evolve(inner, certain=0, possible=0)
    inner = _block(node.body, named, tests, certain=False)
    if node.name in named or node.name.startswith("__") or node.decorator_list:
        return inner
    return attrs.evolve(inner, possible=0)


def names_used(trees: Iterable[ast.Module]) -> frozenset[str]:
    """Return every name that loaded code could reach a function by."""
    used: set[str] = set()
    for tree in trees:
        for node in walked(tree):
            if isinstance(node, ast.Name):
                used.add(node.id)
            elif isinstance(node, ast.Attribute):
                used.add(node.attr)
            elif isinstance(node, ast.alias):
                used.add(node.name.rpartition(".")[2])
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                used.update(node.value.split())
            elif isinstance(node, ast.arg):
                # A fixture is reached through a parameter's name.
                used.add(node.arg)
    return frozenset(used)
