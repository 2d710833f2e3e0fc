"""What the conditions on the way to a statement say about the report at hand."""

from __future__ import annotations

import ast

from benchhygiene_plugins.harness.steps import Guards

_OUTCOMES = frozenset(("passed", "failed", "skipped"))


def says(guards: Guards, outcome: str) -> bool:
    """Return whether the conditions hold only for a report of this outcome."""
    return any(_says(test, holds, outcome) for test, holds in guards)


def _says(test: ast.expr, holds: bool, outcome: str) -> bool:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _says(inner, not holds, outcome)
        case ast.BoolOp(op=operator, values=values):
            if isinstance(operator, ast.And) == holds:
                return any(_says(one, holds, outcome) for one in values)
            return all(_says(one, holds, outcome) for one in values)
        case ast.Attribute(attr=attr):
            return holds and attr == outcome
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            texts = {
                one.value
                for side in (left, right)
                for one in getattr(side, "elts", [side])
                if isinstance(one, ast.Constant)
            }
            equal = isinstance(operator, ast.Eq | ast.In | ast.Is) == holds
            return equal and texts == {outcome}
        case _:
            return False


def mentions(guards: Guards, *words: str) -> bool:
    """Return whether a condition names one of these words, as an attribute, a name or a text."""
    for test, _ in guards:
        for one in ast.walk(test):
            named = getattr(one, "attr", getattr(one, "id", getattr(one, "value", None)))
            if isinstance(named, str | int) and not isinstance(named, bool) and named in words:
                return True
    return False


def is_nothing_collected(guards: Guards) -> bool:
    """Return whether a condition holds only where pytest has found no test."""
    for test, holds in guards:
        if holds and isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq):
            for one in ast.walk(test):
                if isinstance(one, ast.Constant) and one.value == 5:
                    return True
                if isinstance(one, ast.Attribute) and one.attr in (
                    "NO_TESTS_COLLECTED",
                    "EXIT_NOTESTSCOLLECTED",
                ):
                    return True
                if isinstance(one, ast.Attribute) and one.attr == "testscollected":
                    return any(
                        isinstance(each, ast.Constant) and each.value == 0
                        for each in ast.walk(test)
                    )
    return False
