"""What a test demands of something measured."""

from __future__ import annotations

import attrs

from benchhygiene_plugins.performance_budgets.arithmetic import sample
from benchhygiene_plugins.performance_budgets.recording import Check, Record
from benchhygiene_plugins.performance_budgets.terms import (
    Instant,
    Known,
    Made,
    Many,
    Measure,
    Place,
    Row,
    Step,
    Term,
    parts,
)

_RELATIONS = ("<", "<=", ">", ">=")
_DEEPEST = 30


def note(record: Record, term: Term, place: Place, depth: int = 0) -> None:
    """Note what a condition demands."""
    _noted(record, term, place, is_denied=False, depth=depth)


def _noted(record: Record, term: Term, place: Place, *, is_denied: bool, depth: int) -> None:
    if depth > _DEEPEST:
        return
    match term:
        case Made(name="not", parts=(inner,)):
            _noted(record, inner, place, is_denied=not is_denied, depth=depth + 1)
        case Made(name="or" | "and") if (term.name == "or") is not is_denied:
            _alternatives(record, term, place, is_denied=is_denied, depth=depth)
        case Made(name="and" | "or" | "either"):
            for one in term.parts:
                _noted(record, one, place, is_denied=is_denied, depth=depth + 1)
        case Made(name="all" | "any", parts=(Many(element=inner), *_)):
            _noted(record, inner, place, is_denied=is_denied, depth=depth + 1)
        case Made(name=name, parts=(left, right)) if name in _RELATIONS:
            is_upper = (name in ("<", "<=")) is not is_denied
            record.checks.append(_check(record, left, right, place, is_upper=is_upper))
        case _:
            record.checks.append(Check(None, None, True, record.loops, place))


def _alternatives(record: Record, term: Made, place: Place, *, is_denied: bool, depth: int) -> None:
    """Note the loosest of several demands, of which one is enough."""
    every, record.checks = record.checks, []
    for one in term.parts:
        if not (isinstance(one, Known) and bool(one.value) is is_denied):
            _noted(record, one, place, is_denied=is_denied, depth=depth + 1)
    found, record.checks = record.checks, every
    measured = [one for one in found if one.measured is not None]
    if not measured or len(found) == 1:
        record.checks.extend(found)
        return
    limits = [one.limit.number for one in measured if isinstance(one.limit, Known)]
    known = [one for one in limits if one is not None]
    loosest = measured[0]
    if known and len(known) == len(measured):
        wanted = (max if loosest.is_upper else min)(known)
        loosest = measured[known.index(wanted)]
    is_optional = len(known) < len(found)
    record.checks.append(attrs.evolve(loosest, is_optional=is_optional))


def _check(record: Record, left: Term, right: Term, place: Place, *, is_upper: bool) -> Check:
    match left, right:
        case (Instant(), Instant(shift=limit)) if limit is not None:
            return Check(_between(left, right, record), limit, is_upper, record.loops, place)
        case (Instant(shift=limit), Instant()) if limit is not None:
            return Check(_between(right, left, record), limit, not is_upper, record.loops, place)
        case _:
            pass
    measured = first_measure(left)
    if measured is not None:
        return Check(measured, right, is_upper, record.loops, place)
    measured = first_measure(right)
    if measured is not None:
        return Check(measured, left, not is_upper, record.loops, place)
    return Check(None, None, is_upper, record.loops, place)


def _between(end: Instant, start: Instant, record: Record) -> Measure:
    work = tuple(record.events[start.after : end.after])
    return Measure("clock", "s", start.loops, work, scale=end.scale)


def first_measure(term: Term) -> Measure | None:
    """Return the first thing measured in a term."""
    found = sample(term)
    if found is not None:
        return found
    return next((one for one in parts(term) if isinstance(one, Measure)), None)


def summed(one: Measure) -> Measure:
    """Return the sum of what is measured again and again."""
    return attrs.evolve(one, chain=(*one.chain, Step("sum")))


def compared(left: Term, relation: str, right: Term) -> Term:
    """Return a comparison, worked out where both sides are plain."""
    if isinstance(left, Known) and isinstance(right, Known):
        numbers = left.number, right.number
        if numbers[0] is not None and numbers[1] is not None:
            return Known(_holds(numbers[0], relation, numbers[1]))
    if relation == "==" and isinstance(left, Known) and isinstance(right, Known):
        return Known(left.value == right.value)
    return Made(relation, (left, right))


def _holds(left: float, relation: str, right: float) -> bool:
    match relation:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case "==":
            return left == right
        case _:
            return left != right


def each(term: Term) -> tuple[Term, ...]:
    """Return the items of a row, nothing for anything else."""
    return term.parts if isinstance(term, Row) else ()
