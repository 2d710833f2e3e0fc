"""Loops that do nothing but fill a list or dict, written as the comprehensions they amount to."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence


def gathered(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body; an empty list or dict and the loop that fills it are one."""
    following = iter((*body[1:], None))
    skipped = False
    for one in body:
        other = next(following)
        if skipped:
            skipped = False
            continue
        made = None if other is None else _comprehension(one, other)
        skipped = made is not None
        yield one if made is None else made


def _comprehension(start: ast.stmt, loop: ast.stmt) -> ast.stmt | None:
    """Return ``x = [... for ...]`` for ``x = []`` and a loop that only appends to it."""
    if not isinstance(start, ast.Assign) or not isinstance(loop, ast.For) or loop.orelse:
        return None
    target = start.targets[0]
    if len(start.targets) != 1 or not isinstance(target, ast.Name) or len(loop.body) != 1:
        return None
    inner, tests = loop.body[0], list[ast.expr]()
    if isinstance(inner, ast.If) and not inner.orelse and len(inner.body) == 1:
        tests, inner = [inner.test], inner.body[0]
    each = ast.comprehension(loop.target, loop.iter, tests, 0)
    made = _filled(target.id, start.value, inner, each)
    if made is None:
        return None
    return ast.copy_location(ast.Assign([target], ast.copy_location(made, loop.iter)), start)


def _filled(
    name: str, empty: ast.expr, inner: ast.stmt, each: ast.comprehension
) -> ast.expr | None:
    match empty, inner:
        case (
            ast.List(elts=[]),
            ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=owner), attr="append"),
                    args=[one],
                    keywords=[],
                )
            ),
        ) if owner == name:
            return ast.ListComp(one, [each])
        case (
            ast.Dict(keys=[]),
            ast.Assign(targets=[ast.Subscript(value=ast.Name(id=owner), slice=key)], value=one),
        ) if owner == name:
            return ast.DictComp(key, one, [each])
        case _:
            return None
