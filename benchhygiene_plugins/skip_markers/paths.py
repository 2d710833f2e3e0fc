"""The way to a statement: under which conditions a body gets there."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, cast

import attrs

from benchhygiene.inventory.conditions import ALWAYS, Condition, opaque
from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.inlining import condition_of, text_of
from benchhygiene.inventory.meanings import Scope
from benchhygiene.inventory.python import FunctionNode


@attrs.frozen(eq=False)
class Guard:
    """One condition on the way: an expression, and whether it holds or not; or plain words."""

    expression: ast.expr | None
    holds: bool = True
    words: str = ""


Guards: TypeAlias = tuple[Guard, ...]


def read(guards: Guards, scope: Scope, evaluator: Evaluator) -> Condition:
    """Return all of the guards as one condition."""
    result = ALWAYS
    for guard in guards:
        if guard.expression is None:
            result &= opaque(guard.words)
        elif guard.words:
            result &= opaque(f"{guard.words} {text_of(guard.expression, scope, evaluator)}")
        else:
            found = condition_of(guard.expression, scope, evaluator)
            result &= found if guard.holds else ~found
    return result


def statements(body: Sequence[ast.stmt], guards: Guards = ()) -> Iterator[tuple[ast.stmt, Guards]]:
    """Yield every statement that a body can reach and the guards before it.

    A compound statement comes before what is in it. Definitions are not entered.
    """
    for node in body:
        yield node, guards
        yield from _inner(node, guards)
        if isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break):
            return
        guards = _after(node, guards)


def _inner(node: ast.stmt, guards: Guards) -> Iterator[tuple[ast.stmt, Guards]]:
    match node:
        case ast.If() | ast.While():
            yield from statements(node.body, (*guards, Guard(node.test)))
            other = Guard(node.test, holds=False)
            yield from statements(
                node.orelse, (*guards, other) if isinstance(node, ast.If) else guards
            )
        case ast.For() | ast.AsyncFor():
            inside = (
                guards if _has_items(node.iter) else (*guards, Guard(node.iter, words="each of"))
            )
            yield from statements(node.body, inside)
            yield from statements(node.orelse, guards)
        case ast.With() | ast.AsyncWith():
            yield from statements(node.body, guards)
        case ast.Try() | ast.TryStar():
            yield from _tried(node, guards)
        case ast.Match():
            for case in node.cases:
                words = f"case {ast.unparse(case.pattern)} of"
                yield from statements(case.body, (*guards, Guard(node.subject, words=words)))
        case _:
            return


def _has_items(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple | ast.Set) and bool(node.elts)


def _tried(node: ast.Try | ast.TryStar, guards: Guards) -> Iterator[tuple[ast.stmt, Guards]]:
    yield from statements(node.body, guards)
    attempted = "; ".join(ast.unparse(one) for one in node.body)[:500]
    for handler in node.handlers:
        caught = ast.unparse(handler.type) if handler.type else "anything"
        words = f"{caught} from {attempted}"
        yield from statements(handler.body, (*guards, Guard(None, words=words)))
    yield from statements(node.orelse, guards)
    yield from statements(node.finalbody, guards)


def _after(node: ast.stmt, guards: Guards) -> Guards:
    """Return the guards for what follows a statement that may have left."""
    if not isinstance(node, ast.If):
        return guards
    if _leaves(node.body):
        guards = (*guards, Guard(node.test, holds=False))
    if node.orelse and _leaves(node.orelse):
        guards = (*guards, Guard(node.test))
    return guards


def _leaves(body: Sequence[ast.stmt]) -> bool:
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _leaves(last.body) and _leaves(last.orelse)
    return isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break)


def expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions of a statement itself, not of the blocks in it."""
    if isinstance(node, FunctionNode | ast.ClassDef):
        return
    if isinstance(node, ast.With | ast.AsyncWith):
        yield from (item.context_expr for item in node.items)
        return
    for name, value in ast.iter_fields(node):
        if name in ("body", "orelse", "finalbody", "handlers", "cases"):
            continue
        parts = cast("list[object]", value) if isinstance(value, list) else [value]
        yield from (one for one in parts if isinstance(one, ast.expr))


def calls(node: ast.expr, guards: Guards) -> Iterator[tuple[ast.Call, Guards]]:
    """Yield every call in an expression and the guards before it."""
    pending: list[tuple[ast.AST, Guards]] = [(node, guards)]
    while pending:
        one, before = pending.pop()
        if isinstance(one, ast.Call):
            yield one, before
        pending.extend(_operands(one, before))


def _operands(node: ast.AST, guards: Guards) -> Iterable[tuple[ast.AST, Guards]]:
    match node:
        case ast.BoolOp():
            holds = isinstance(node.op, ast.And)
            for index, operand in enumerate(node.values):
                earlier = (Guard(one, holds=holds) for one in node.values[:index])
                yield operand, (*guards, *earlier) if index < 8 else guards
        case ast.IfExp():
            yield node.test, guards
            yield node.body, (*guards, Guard(node.test))
            yield node.orelse, (*guards, Guard(node.test, holds=False))
        case ast.Lambda():  # what it does, it does where it is called
            return
        case _:
            yield from ((child, guards) for child in ast.iter_child_nodes(node))


def body_of(node: FunctionNode | ast.Lambda) -> list[ast.stmt]:
    """Return the statements of a function; a lambda's is the one that returns."""
    if isinstance(node, ast.Lambda):
        return [ast.copy_location(ast.Return(node.body), node.body)]
    return node.body
