"""Conditions that nobody can tell: each is taken both ways, one run after the other."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeAlias, TypeVar

import attrs

from benchhygiene.inventory.spelling import dotted

T = TypeVar("T")
MOST_RUNS = 24
_MOST_ALTERNATIVES = 200
Literals: TypeAlias = frozenset[tuple[str, bool]]


@attrs.define(eq=False)
class Decisions:
    """How the unknown conditions of one run are taken, by their texts: false where not told."""

    prescribed: Mapping[str, bool]
    taken: dict[str, bool] = attrs.field(factory=dict[str, bool])

    def take(self, text: str) -> bool:
        """Return how a condition is taken in this run."""
        return self.taken.setdefault(text, self.prescribed.get(text, False))


@attrs.frozen
class Run(Generic[T]):
    """What one run gave, and what had to be so for it."""

    literals: Literals
    result: T


def explore(play: Callable[[Decisions], T]) -> Iterator[Run[T]]:
    """Yield what playing gives for each way its unknown conditions may turn out, within bounds."""
    pending: list[dict[str, bool]] = [{}]
    for _ in range(MOST_RUNS):
        if not pending:
            return
        prescribed = pending.pop(0)
        decisions = Decisions(prescribed)
        result = play(decisions)
        prefix = dict(prescribed)
        for text in decisions.taken:
            if text not in prescribed:
                pending.append({**prefix, text: True})
                prefix[text] = False
        yield Run(frozenset(decisions.taken.items()), result)


def settled(conditions: frozenset[Literals]) -> frozenset[Literals]:
    """Return the same alternatives without the conditions that make no difference."""
    found = conditions
    while len(found) < _MOST_ALTERNATIVES:
        simpler = _simpler(found)
        if simpler is None:
            break
        found = simpler
    return found


def _simpler(found: frozenset[Literals]) -> frozenset[Literals] | None:
    """Join two alternatives that differ in one condition only, None where there are none."""
    for one in sorted(found, key=sorted):
        for text, holds in sorted(one):
            rest: Literals = one - frozenset(((text, holds),))
            other: Literals = rest | frozenset(((text, not holds),))
            if other in found:
                return (found - frozenset((one, other))) | frozenset((rest,))
    return None


def covers(before: frozenset[Literals], after: frozenset[Literals]) -> bool:
    """Return whether each alternative after holds only where one held before."""
    return all(any(old <= new for old in before) for new in after)


def spelled(node: ast.expr, resolve: Callable[[ast.expr], str]) -> str:
    """Return a condition's text in which names of its own function say nothing."""

    def part(one: ast.AST) -> str:
        if isinstance(one, ast.Name | ast.Attribute):
            name = resolve(one) if dotted(one) else ""
            if name and not name.startswith("<local>."):
                return name
            if isinstance(one, ast.Attribute):
                return f"{part(one.value)}.{one.attr}"
            return "_"
        if isinstance(one, ast.Constant):
            return repr(one.value)
        inner = ",".join(part(child) for child in ast.iter_child_nodes(one))
        return f"{type(one).__name__}({inner})"

    return part(node)
