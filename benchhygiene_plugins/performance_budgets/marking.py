"""What the marks of a test hold."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from benchhygiene_plugins.performance_budgets.terms import NOTHING, Known, Made, Row, Table, Term


def assigned(name: str, body: Sequence[ast.stmt]) -> ast.expr:
    """Return the expression that a name of a body is assigned last."""
    found: ast.expr = ast.Constant(None)
    for one in body:
        if isinstance(one, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in one.targets
        ):
            found = one.value
        elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            found = one.value if one.target.id == name and one.value is not None else found
    return found


def each_of(term: Term) -> tuple[Term, ...]:
    """Return the terms of a row, or the one."""
    return term.parts if isinstance(term, Row) else (term,)


def keywords_of(term: Made) -> Mapping[str, Term]:
    """Return the keywords that a mark is given."""
    table = term.parts[1] if len(term.parts) > 1 else None
    return dict(table.items) if isinstance(table, Table) else {}


def texts_of(term: Made) -> list[str]:
    """Return the texts that a mark is given."""
    given = each_of(term.parts[0]) if term.parts else ()
    return [str(one.value) for one in given if isinstance(one, Known)]


def amount_of_memory(text: str) -> float | None:
    """Return how many bytes a text such as ``24 MB`` means."""
    number = text.strip().lower().rstrip("bi ")
    factors = {"k": 2.0**10, "m": 2.0**20, "g": 2.0**30, "t": 2.0**40}
    factor = factors.get(number[-1:], 1.0)
    try:
        return float(number.rstrip("kmgt ")) * factor
    except ValueError:
        return None


def parametrized(term: Made) -> Mapping[str, Term]:
    """Return what a ``parametrize`` mark gives to arguments."""
    if term.name != "pytest.mark.parametrize" or not isinstance(term.parts[0], Row):
        return {}
    names, rows, *_ = (*term.parts[0].parts, NOTHING, NOTHING)
    text = names.value if isinstance(names, Known) else ""
    words = [one.strip() for one in str(text).split(",") if one.strip()]
    if isinstance(names, Row):
        words = [str(one.value) for one in names.parts if isinstance(one, Known)]
    found: dict[str, Term] = {}
    for at, word in enumerate(words):
        value = rows if len(words) == 1 else Made("column", (rows, Known(at)))
        found[word] = Made("param", (value,))
    return found
