"""Put what performance tests lost into words."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator

import attrs

from benchhygiene import BaseFinding, Location, SymbolKind, Verdict
from benchhygiene.inventory.collection import Node
from benchhygiene_plugins.performance_budgets.edits import Edit
from benchhygiene_plugins.performance_budgets.findings import (
    BY_LOSS,
    UNSEEN,
    BudgetLowered,
    BudgetUnseen,
)
from benchhygiene_plugins.performance_budgets.judging import Judged
from benchhygiene_plugins.performance_budgets.losses import Loss, Lost
from benchhygiene_plugins.performance_budgets.terms import Place

_Key = tuple[Loss, str, str, str]


def findings(judged: Iterable[Judged], differing: Collection[str]) -> Iterator[BaseFinding]:
    """Yield one finding for each test and loss, and one for each edit in a file of many tests."""
    causes: dict[_Key, tuple[Lost, str]] = {}
    for one in judged:
        told: set[tuple[Loss, str]] = set()
        for lost in (_shown(each, one.edit) for each in one.losses):
            if (lost.loss, lost.reason) in told:
                continue
            told.add((lost.loss, lost.reason))
            yield of_node(one.pair.old, lost)
            cause = _cause(one, lost, differing)
            if cause is not None and not lost.is_doubt:
                key = (lost.loss, cause, _text(lost.old), _text(lost.new))
                causes.setdefault(key, (lost, cause))
        if one.doubt is not None:
            yield unseen(_at(one.pair.old, None), one.doubt)
    for lost, path in causes.values():
        yield of_file(path, lost)


def _shown(lost: Lost, edit: Edit) -> Lost:
    """Return a loss with the lines that differ where what it is about reads the same."""
    if _text(lost.old) != _text(lost.new):
        return lost
    old, new = lost.old, lost.new
    return attrs.evolve(
        lost,
        old=None if old is None else attrs.evolve(old, text=edit.old or old.text),
        new=None if new is None else attrs.evolve(new, text=edit.new or new.text),
    )


def _cause(one: Judged, lost: Lost, differing: Collection[str]) -> str | None:
    """Return the file whose edit took something from a test of another file."""
    path = one.pair.old.path
    for place in (lost.new, lost.old):
        if place is not None and place.path in differing and place.path != path:
            return place.path
    return one.edit.cause


def of_node(node: Node, lost: Lost) -> BaseFinding:
    """Return the finding for what one test lost."""
    at = _at(node, lost.new)
    place = lost.new or lost.old
    further: tuple[Location, ...] = ()
    if place is not None and place.path != at.path:
        further = (Location(place.path, place.line, place.column),)
    return _finding(lost, (at, *further))


def of_file(path: str, lost: Lost) -> BaseFinding:
    """Return the finding for an edit in a file."""
    place = lost.new or lost.old
    is_here = place is not None and place.path == path
    at = Location(path, place.line if is_here and place is not None else None)
    return _finding(lost, (at,))


def _at(node: Node, place: Place | None) -> Location:
    line = place.line if place is not None and place.path == node.path else node.line
    return Location(node.path, line, None, node.node_id, SymbolKind.NODE)


def _text(place: Place | None) -> str:
    return place.text if place is not None else ""


def _finding(lost: Lost, locations: tuple[Location, ...]) -> BaseFinding:
    old, new = _text(lost.old), _text(lost.new)
    return BudgetLowered(
        rule=UNSEEN if lost.is_doubt else BY_LOSS[lost.loss],
        message=f"{lost.reason}{_numbers(lost)}",
        verdict=Verdict.INCONCLUSIVE if lost.is_doubt else None,
        locations=locations,
        old_text=old,
        new_text=new,
        reason=lost.reason,
        old_value=finite(lost.old_value),
        new_value=finite(lost.new_value),
        unit=lost.unit,
    )


def finite(number: float | None) -> float | None:
    """Return a number that has a form in every format, None for an infinite one."""
    return number if number is not None and math.isfinite(number) else None


def _numbers(lost: Lost) -> str:
    if lost.old_value is None:
        return ""
    unit = f" {lost.unit}" if lost.unit else ""
    if lost.new_value is None:
        return f": it was {lost.old_value:g}{unit}"
    return f": {lost.new_value:g} instead of {lost.old_value:g}{unit}"


def unseen(location: Location, reason: str) -> BaseFinding:
    """Return the finding for what could not be seen."""
    return BudgetUnseen(
        rule=UNSEEN,
        message=f"nobody can tell all that is measured here: {reason}",
        verdict=Verdict.INCONCLUSIVE,
        locations=(location,),
        reason=reason,
    )
