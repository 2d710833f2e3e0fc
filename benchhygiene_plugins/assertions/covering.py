"""Checks in loops, round by round: what more rounds, or other ways to loop, still check.

A loop too long to be followed round by round is followed once, with an element for all of them.
Where its rounds are numbers, each round's fact can be written out afterwards.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from benchhygiene_plugins.assertions.checks import Check
from benchhygiene_plugins.assertions.elements import elements
from benchhygiene_plugins.assertions.expressions import rebuilt
from benchhygiene_plugins.assertions.terms import Term, constant, term

_ROUNDS = 4_000  # rounds that are written out of one loop
_EFFORT = 200_000  # terms that are made anew for all loops of one node


def is_within(loop: Term, wider: Term) -> bool:
    """Return whether every element of one iterable is one of the other."""
    if loop == wider:
        return True
    mine, other = elements(loop, _ROUNDS), elements(wider, _ROUNDS)
    if mine is None or other is None:
        return False
    return {one.digest for one in mine} <= {one.digest for one in other}


def not_covered(old: Sequence[Check], new: Iterable[Check]) -> Iterator[Check]:
    """Yield the old checks of which some round is not checked by the new ones."""
    standing = [check for check in new if check.is_effective] if old else []
    if not any(_rounds(check) for check in (*old, *standing)):
        yield from old
        return
    effort, known = [_EFFORT], set[Hashable]()
    lines = {check.fact.kind for check in old}
    for check in standing:
        if check.fact.kind in lines:
            known.update(_instances(check, effort))
    for check in old:
        asked = set(_instances(check, effort))
        if effort[0] <= 0 or not asked or not asked <= known:
            yield check


def _rounds(check: Check) -> tuple[Term, ...]:
    """Return what an innermost loop over spelt out elements runs through."""
    if not check.flow.loops:
        return ()
    return elements(check.flow.loops[-1], _ROUNDS) or ()


def _instances(check: Check, effort: list[int]) -> Iterator[Hashable]:
    rounds = _rounds(check)
    guards = frozenset(guard.condition for guard in check.flow.guards)
    if not rounds:
        yield (check.fact, check.history, guards, check.flow.loops)
        return
    over = check.flow.loops[-1]
    element, index = term("element", over).digest, term("index", over).digest
    size = len(check.fact.parts) + len(check.history.parts)
    for k, one in enumerate(rounds):
        effort[0] -= size
        if effort[0] <= 0:
            return
        known = {element: one, index: constant(k)}
        facts = (rebuilt(check.fact, known), rebuilt(check.history, known))
        yield (*facts, frozenset(rebuilt(g, known) for g in guards), check.flow.loops[:-1])
