"""The statements of a body one after the other, and what must hold on the way to each."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeAlias, cast

import attrs

from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.spelling import dotted

_DEEPEST = 60
#: Expressions that must hold, or with False must not.
Guards: TypeAlias = tuple[tuple[ast.expr, bool], ...]
_LEAVING = ast.Return | ast.Raise | ast.Continue | ast.Break
_CATCHES_EXIT = frozenset(("SystemExit", "BaseException"))


@attrs.frozen(eq=False)
class Step:
    """One statement, what must hold on the way, and what is caught around it.

    ``caught`` are the last words of the exceptions that somebody waits for; ``*`` is any. ``tries``
    are the try statements it stands in the body of.
    """

    statement: ast.stmt
    guards: Guards = ()
    caught: frozenset[str] = frozenset()
    tries: tuple[ast.stmt, ...] = ()

    @property
    def expects_exit(self) -> bool:
        """Return whether an exit here is waited for."""
        return not self.caught.isdisjoint((*_CATCHES_EXIT, "*"))


def steps(body: Sequence[ast.stmt]) -> Iterator[Step]:
    """Yield every statement of a body, a compound one before what is in it.

    Definitions are not entered. What stands behind a statement that leaves is not reached.
    """
    yield from _steps(body, Step(ast.Pass()), 0)


def _steps(body: Sequence[ast.stmt], around: Step, depth: int) -> Iterator[Step]:
    if depth > _DEEPEST:
        raise RecursionError("too many blocks inside one another")
    guards = around.guards
    for node in body:
        yield attrs.evolve(around, statement=node, guards=guards)
        yield from _inner(node, attrs.evolve(around, guards=guards), depth + 1)
        if isinstance(node, _LEAVING):
            return
        if isinstance(node, ast.If) and len(guards) < 30:
            guards = _after(node, guards)


def _inner(node: ast.stmt, around: Step, depth: int) -> Iterator[Step]:
    match node:
        case ast.If() | ast.While():
            holds = attrs.evolve(around, guards=(*around.guards, (node.test, True)))
            yield from _steps(node.body, holds, depth)
            fails = attrs.evolve(around, guards=(*around.guards, (node.test, False)))
            yield from _steps(node.orelse, fails if isinstance(node, ast.If) else around, depth)
        case ast.For() | ast.AsyncFor():
            yield from _steps([*node.body, *node.orelse], around, depth)
        case ast.With() | ast.AsyncWith():
            awaited = frozenset(word for item in node.items for word in _awaited(item.context_expr))
            inside = attrs.evolve(around, caught=around.caught | awaited)
            inside = attrs.evolve(inside, tries=(*inside.tries, node)) if awaited else inside
            yield from _steps(node.body, inside, depth)
        case ast.Try() | ast.TryStar():
            caught = around.caught | frozenset(word for one in node.handlers for word in kinds(one))
            inside = attrs.evolve(around, caught=caught, tries=(*around.tries, node))
            yield from _steps(node.body, inside, depth)
            for handler in node.handlers:
                yield from _steps(handler.body, _handling(around, handler), depth)
            yield from _steps([*node.orelse], around, depth)
            yield from _steps([*node.finalbody], around, depth)
        case ast.Match():
            for case in node.cases:
                inside = attrs.evolve(around, guards=(*around.guards, (node.subject, True)))
                yield from _steps(case.body, inside, depth)
        case _:
            return


def _handling(around: Step, handler: ast.ExceptHandler) -> Step:
    guard = handler.type or ast.Name("BaseException", lineno=handler.lineno, col_offset=0)
    return attrs.evolve(around, guards=(*around.guards, (guard, True)))


def kinds(handler: ast.ExceptHandler) -> frozenset[str]:
    """Return the last words of what a handler catches, ``*`` for everything."""
    if handler.type is None:
        return frozenset("*")
    parts = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return frozenset(dotted(one).rpartition(".")[2] for one in parts)


def _awaited(node: ast.expr) -> frozenset[str]:
    """Return what a context manager such as ``pytest.raises(SystemExit)`` waits for."""
    if not isinstance(node, ast.Call):
        return frozenset()
    flat = [one for arg in node.args for one in getattr(arg, "elts", [arg])]
    words = (dotted(one).rpartition(".")[2] for one in flat)
    return frozenset(word for word in words if word)


def _after(node: ast.If, guards: Guards) -> Guards:
    if _leaves(node.body):
        guards = (*guards, (node.test, False))
    if node.orelse and _leaves(node.orelse):
        guards = (*guards, (node.test, True))
    return guards


def _leaves(body: Sequence[ast.stmt]) -> bool:
    return isinstance(body[-1], _LEAVING)


def expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions of a statement itself, not of the blocks in it."""
    if isinstance(node, FunctionNode | ast.ClassDef):
        yield from node.decorator_list
        return
    if isinstance(node, ast.With | ast.AsyncWith):
        yield from (item.context_expr for item in node.items)
        return
    for name, value in ast.iter_fields(node):
        if name not in ("body", "orelse", "finalbody", "handlers", "cases"):
            parts = cast("list[object]", value) if isinstance(value, list) else [value]
            yield from (one for one in parts if isinstance(one, ast.expr))


@attrs.frozen(eq=False)
class Called:
    """One call in an expression, and whether a lambda or a condition puts it off."""

    call: ast.Call
    is_delayed: bool = False
    is_guarded: bool = False


def calls(node: ast.expr) -> Iterator[Called]:
    """Yield every call in an expression, those in lambdas too, in the order of the source."""
    pending: list[tuple[ast.AST, bool, bool]] = [(node, False, False)]
    while pending:
        one, delayed, guarded = pending.pop()
        if isinstance(one, ast.Call):
            yield Called(one, delayed, guarded)
        inner = delayed or isinstance(one, ast.Lambda)
        under = guarded or isinstance(one, ast.BoolOp | ast.IfExp)
        pending.extend((each, inner, under) for each in reversed([*ast.iter_child_nodes(one)]))
