"""The calls and imports of a module, with the branches and loops around them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import cast

import attrs

from benchhygiene.inventory.meanings import Delayed, Entry, Frame, Scope
from benchhygiene.inventory.values import Unknown, unpacked
from benchhygiene_plugins.property_budgets.quantities import Quantities

_ROUNDS = 50  # times that a loop is gone round


@attrs.frozen(eq=False)
class Found:
    """A call, whether it stands under no condition, and the loops around it, outermost first."""

    call: ast.Call
    is_sure: bool
    loops: tuple[ast.For, ...] = ()


def imported(body: Iterable[ast.stmt]) -> Iterator[tuple[str, int]]:
    """Yield the modules that a body imports, or names as plugins, with their leading dots."""
    for one in body:
        if isinstance(one, ast.Import):
            yield from ((alias.name, 0) for alias in one.names)
        elif isinstance(one, ast.ImportFrom):
            module = one.module or ""
            yield module, one.level
            yield from ((f"{module}.{alias.name}".lstrip("."), one.level) for alias in one.names)
        elif isinstance(one, ast.Assign) and _is_plugins(one.targets[0]):
            texts = (each for each in ast.walk(one.value) if isinstance(each, ast.Constant))
            yield from ((each.value, 0) for each in texts if isinstance(each.value, str))


def _is_plugins(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "pytest_plugins"


def calls(body: Iterable[ast.stmt]) -> Iterator[Found]:
    """Yield every call of a module in the order of the source."""
    stack: list[tuple[ast.AST, bool, tuple[ast.For, ...]]]
    stack = [(one, True, ()) for one in reversed([*body])]
    while stack:
        one, is_sure, loops = stack.pop()
        if isinstance(one, ast.Call):
            yield Found(one, is_sure, loops)
        is_sure = is_sure and not isinstance(one, ast.If | ast.ExceptHandler | ast.IfExp)
        inner = (*loops, one) if isinstance(one, ast.For) else loops
        stack.extend((each, is_sure, inner) for each in reversed(list(ast.iter_child_nodes(one))))


def rounds(loops: tuple[ast.For, ...], scope: Scope, quantities: Quantities) -> Iterator[Scope]:
    """Yield a scope for each time round the loops; the one that is given where that is unknown."""
    if not loops:
        yield scope
        return
    try:
        rows = quantities.value(Delayed(loops[0].iter, scope))
        several = cast("Iterable[object]", rows) if isinstance(rows, tuple | range | str) else ()
        frames = [_frame(loops[0].target, row) for row in [*several][:_ROUNDS]]
    except (Unknown, SyntaxError, ValueError):
        frames = []
    for frame in frames or [Frame({})]:
        yield from rounds(loops[1:], scope.inside(frame), quantities)


def _frame(target: ast.expr, row: object) -> Frame:
    names: dict[str, tuple[Entry, ...]] = {
        name: (ast.parse(repr(value), mode="eval").body,) for name, value in unpacked(target, row)
    }
    return Frame(names)
