"""Loops in a test whose rounds are reported one by one: ``subTest`` and ``subtests.test``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import cast

import attrs

from benchhygiene.inventory.comparisons import holds_unknown, is_row
from benchhygiene.inventory.constants import Constants
from benchhygiene.inventory.modules import Modules
from benchhygiene.inventory.nodes import Node
from benchhygiene.inventory.parameters import Axis, Row
from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.spelling import dotted
from benchhygiene.inventory.traces import digest, narrowings, trace
from benchhygiene.inventory.values import Evaluator, Unknown, key

_MOST_ROUNDS = 1_000
_SUBTESTS = ("subTest", "test")


@attrs.frozen(eq=False)
class Loops:
    """The loops of one test: around sub-tests, around checks, all, and sub-tests outside loops.

    ``exits`` counts the statements that leave a loop around sub-tests early, ``checks`` all checks
    of the test, wherever they stand.
    """

    subtests: tuple[Axis, ...] = ()
    checking: tuple[Axis, ...] = ()
    every: tuple[Axis, ...] = ()
    single: int = 0
    exits: int = 0
    checks: int = 0


def loops_of(modules: Modules, node: Node) -> Loops:
    """Return the loops of a test, with the rows each goes through."""
    found = [*_loops(node.definition.body)]
    if not found:
        checks = _count_checks(node.definition)
        return Loops(single=_count_subtests(node.definition), checks=checks)
    evaluator = _local(modules, node)
    axes = [(_axis(modules, node, loop, evaluator), loop) for loop in found]
    marked = [(axis, loop) for axis, loop in axes if _count_subtests(loop)]
    inside = sum(_count_subtests(loop) for _, loop in marked)
    return Loops(
        tuple(axis for axis, _ in marked),
        tuple(axis for axis, loop in axes if not _count_subtests(loop) and _checks(loop)),
        tuple(axis for axis, _ in axes),
        max(0, _count_subtests(node.definition) - inside),
        sum(
            isinstance(one, ast.Break | ast.Return) for _, loop in marked for one in ast.walk(loop)
        ),
        _count_checks(node.definition),
    )


def _checks(loop: ast.AST) -> bool:
    return _count_checks(loop) > 0


def _count_checks(node: ast.AST) -> int:
    return sum(
        isinstance(one, ast.Assert)
        or (isinstance(one, ast.Call) and dotted(one.func).rpartition(".")[2].startswith("assert"))
        for one in ast.walk(node)
    )


def _loops(body: list[ast.stmt]) -> Iterator[ast.For | ast.AsyncFor]:
    for statement in body:
        if isinstance(statement, ast.For | ast.AsyncFor):
            yield statement
        if not isinstance(statement, FunctionNode | ast.ClassDef):
            for field in ("body", "orelse", "finalbody"):
                yield from _loops(getattr(statement, field, []))


def _count_subtests(node: ast.AST) -> int:
    return sum(
        isinstance(one, ast.Call)
        and isinstance(one.func, ast.Attribute)
        and one.func.attr in _SUBTESTS
        and _is_subtests(one.func)
        for one in ast.walk(node)
    )


def _is_subtests(function: ast.Attribute) -> bool:
    if function.attr == "subTest":
        return True
    return isinstance(function.value, ast.Name) and function.value.id == "subtests"


def _local(modules: Modules, node: Node) -> Evaluator:
    """Return what computes expressions with the plain assignments of the test's own body."""
    outer: Constants = modules.constants(node.definition_path)
    assigned: dict[str, ast.expr | None] = {}
    for statement in node.definition.body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    twice = target.id in assigned
                    assigned[target.id] = None if twice else statement.value
    computing: set[str] = set()

    def look(name: str) -> object:
        value = assigned.get(name)
        if name not in assigned:
            return outer.named(name)
        if value is None or name in computing:
            raise Unknown(name)
        computing.add(name)
        try:
            return evaluator.value(value)
        finally:
            computing.discard(name)

    evaluator = attrs.evolve(outer.evaluator(), lookup=look)
    return evaluator


def _axis(modules: Modules, node: Node, loop: ast.For | ast.AsyncFor, evaluator: Evaluator) -> Axis:
    path = node.definition_path
    names = tuple(one.id for one in ast.walk(loop.target) if isinstance(one, ast.Name))
    try:
        found = evaluator.elements(evaluator.value(loop.iter))
        if isinstance(loop.iter, ast.Call) and len(found) > _MOST_ROUNDS:
            found = [f"{len(found)} rounds"] * len(found)  # a count, not rows
        rows = tuple(_row(one, len(names)) for one in found)
    except (Unknown, RecursionError):
        made_of = trace(modules, loop.iter, path)
        count = narrowings(modules, made_of, path)
        return Axis(names, None, loop.iter, path, loop.lineno, "subtest", digest(made_of), count)
    return Axis(names, rows, loop.iter, path, loop.lineno, "subtest")


def _row(value: object, width: int) -> Row:
    cells: Sequence[object] = (value,)
    if width > 1 and is_row(value):
        cells = cast("Sequence[object]", value)
    return Row(tuple(map(key, cells)), None, not holds_unknown(value))
