"""Exits that end another process, or none: a forked child's, and one that a stub stands in for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchhygiene.inventory.python import statements
from benchhygiene_plugins.harness.steps import Step
from benchhygiene_plugins.harness.units import Unit

_FORKS = ("fork", "forkpty")
_STUBBING = ("setattr", "patch", "object", "multiple")


def mentions_fork(text: str) -> bool:
    """Return whether a source has child processes to end."""
    return "fork" in text


def is_child(step: Step, unit: Unit) -> bool:
    """Return whether a statement is reached only in a child that the same function has forked."""
    if not any(True for _ in _fork_calls(unit)):
        return False
    pids = {*_pids(unit)}
    return any(_is_zero(test, holds, pids) for test, holds in step.guards)


def _fork_calls(unit: Unit) -> Iterator[ast.Call]:
    yield from (one.call for _, one in unit.calls if _is_fork(one.call))


def _is_fork(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    return getattr(node.func, "attr", getattr(node.func, "id", "")) in _FORKS


def _pids(unit: Unit) -> Iterator[str]:
    for statement in statements(unit.body):
        if isinstance(statement, ast.Assign) and _is_fork(statement.value):
            for target in statement.targets:
                first = target.elts[0] if isinstance(target, ast.Tuple) else target
                if isinstance(first, ast.Name):
                    yield first.id


def _is_zero(test: ast.expr, holds: bool, pids: set[str]) -> bool:
    """Return whether a condition says that the process is the child."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _is_zero(inner, not holds, pids)
        case ast.Compare(left=left, ops=[operator], comparators=[ast.Constant(value=0)]):
            is_pid = _is_pid(left, pids)
            equal = isinstance(operator, ast.Eq) and holds
            unequal = isinstance(operator, ast.NotEq | ast.Gt) and not holds
            return is_pid and (equal or unequal)
        case _:
            return _is_pid(test, pids) and not holds


def _is_pid(node: ast.expr, pids: set[str]) -> bool:
    if isinstance(node, ast.NamedExpr):
        node = node.value
    return _is_fork(node) or (isinstance(node, ast.Name) and node.id in pids)


def is_stubbed(unit: Unit, what: str) -> bool:
    """Return whether the same function puts something else in the place of an exit first."""
    last = what.removesuffix("()").rpartition(".")[2]
    for _, one in unit.calls:
        name = getattr(one.call.func, "attr", getattr(one.call.func, "id", ""))
        if name in _STUBBING and any(_names(arg, last) for arg in one.call.args):
            return True
    decorators = getattr(unit.node, "decorator_list", [])
    return any(
        isinstance(one, ast.Call) and any(_names(arg, last) for arg in one.args)
        for one in decorators
    )


def _names(node: ast.expr, last: str) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, str) and value.rpartition(".")[2] == last
