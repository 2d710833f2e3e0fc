"""What stands for the items of a loop, and how often it runs."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from benchhygiene.inventory.python import statements
from benchhygiene_plugins.performance_budgets import demands
from benchhygiene_plugins.performance_budgets.arithmetic import indexed
from benchhygiene_plugins.performance_budgets.terms import (
    EACH,
    Instant,
    Known,
    Loop,
    Made,
    Many,
    Measure,
    Place,
    Row,
    Term,
)


def element_of(items: Term) -> Term:
    """Return what stands for an item of a loop."""
    match items:
        case Many():
            return items.element
        case Row(parts=(only,)):
            return only
        case Row():
            measured = demands.first_measure(items)
            return measured or Made("each", items.parts)
        case Made(name="enumerate", parts=(inner, *_)):
            return Row((EACH, element_of(inner)))
        case Made(name="zip"):
            return Row(tuple(element_of(one) for one in items.parts))
        case _:
            return Made("each", (items,))


def unpacked(value: Term, at: int) -> Term:
    """Return what a target gets at a position."""
    match value:
        case Row() if at < len(value.parts):
            return value.parts[at]
        case Measure():
            return value
        case Made(name="each") if value.parts and isinstance(value.parts[0], Row):
            return Made("each", tuple(indexed(one, Known(at)) for one in value.parts))
        case _:
            return Made("item", (value, Known(at)))


def innermost(loops: Sequence[Loop]) -> Term | None:
    """Return how often the innermost loop runs."""
    return loops[-1].count if loops else None


def bounded(test: Term, where: Place) -> Loop:
    """Return the loop that a condition ends."""
    match test:
        case Made(name="<" | "<=" | ">" | ">=", parts=(Instant(), Instant(shift=limit))):
            return Loop(limit, where, is_duration=True)
        case Made(name="<" | "<=", parts=(Measure(), limit)):
            return Loop(limit, where, is_duration=True)
        case Made(name="<" | "<=" | "!=", parts=(_, limit)):
            return Loop(limit, where)
        case _:
            return Loop(None, where)


def is_left_early(body: Sequence[ast.stmt]) -> bool:
    """Return whether a loop's own turn, or the rest of it, can be passed over."""
    pending = list(body)
    while pending:
        one = pending.pop()
        if isinstance(one, ast.Break | ast.Continue):
            return True
        if isinstance(one, ast.If | ast.Try | ast.With | ast.AsyncWith):
            for name in ("body", "orelse", "finalbody"):
                pending.extend(getattr(one, name, ()))
            for handler in getattr(one, "handlers", ()):
                pending.extend(handler.body)
    return False


def ends_in_failure(body: Sequence[ast.stmt]) -> bool:
    """Return whether a branch ends in a failure of the test."""
    for one in statements(body, into_functions=False):
        if isinstance(one, ast.Raise):
            return True
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call):
            func = one.value.func
            name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
            if name == "fail":
                return True
    return False
