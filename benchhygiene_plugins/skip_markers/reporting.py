"""Put fresh exemptions into words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from benchhygiene import BaseFinding, Location, Severity, SymbolKind, Verdict
from benchhygiene.evidence import AsOf, Ledger
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.pairing import Pair
from benchhygiene_plugins.skip_markers.exemptions import Exemption, Place
from benchhygiene_plugins.skip_markers.findings import (
    BY_ID,
    UNSEEN,
    ExemptionUnseen,
    NodeExempted,
    NodesExempted,
)

#: How many tests that one place exempts have a finding each; the rest share one.
NAMED = 500


@attrs.frozen(eq=False)
class Fresh:
    """One test of the parent's, what newly exempts it, and the text this stands in place of."""

    pair: Pair
    exemption: Exemption
    old_text: str = ""


@attrs.frozen
class Quarantine:
    """What the trusted ledger says on the day, where there are both."""

    ledger: Ledger | None
    day: AsOf | None

    def holds(self, node_id: str) -> bool | None:
        """Return whether the node is quarantined; None where it is, until nobody knows when."""
        if self.ledger is None:
            return False
        if self.day is None:
            actions = (entry.allowed_action.value for entry in self.ledger.about(node_id))
            return None if "quarantine" in actions else False
        return self.ledger.quarantines(node_id, self.day.date)


def report(found: Iterable[Fresh], quarantine: Quarantine) -> Iterator[BaseFinding]:
    """Yield the findings: one for each test and rule, and one for each place that many share."""
    causes: dict[tuple[str, Place], list[Fresh]] = {}
    for one in found:
        cause = (one.exemption.rule, one.exemption.place)
        shared = causes.setdefault(cause, [])
        shared.append(one)
        if len(shared) <= NAMED or one.exemption.unseen:
            yield _of_node(one, quarantine)
    for shared in causes.values():
        loose = [one for one in shared if quarantine.holds(_home(one.pair).node_id) is False]
        if loose and not loose[0].exemption.unseen and (_is_elsewhere(loose) or len(loose) > NAMED):
            yield _of_cause(loose)


def _is_elsewhere(shared: list[Fresh]) -> bool:
    path = shared[0].exemption.place.path
    return any(_home(one.pair).path != path for one in shared)


def _home(pair: Pair) -> Node:
    """Return the node as the parent knows it."""
    return pair.old


def _location(one: Fresh) -> Location:
    old, new, place = one.pair.old, one.pair.new, one.exemption.place
    if new is None or new.path != old.path:
        return Location(old.path, None, None, old.node_id, SymbolKind.NODE)
    is_here = place.path == new.path
    line, column = (place.line, place.column) if is_here else (new.line, None)
    return Location(new.path, line, column, old.node_id, SymbolKind.NODE)


def _of_node(one: Fresh, quarantine: Quarantine) -> BaseFinding:
    exemption, place = one.exemption, one.exemption.place
    at = _location(one)
    further = (Location(place.path, place.line, place.column),) if place.path != at.path else ()
    if exemption.unseen:
        return _unseen(one, (at, *further))
    held = quarantine.holds(one.pair.old.node_id)
    return NodeExempted(
        rule=BY_ID[exemption.rule],
        message=f"{_said(exemption)}{_why(held)}",
        severity=Severity.NOTE if held else None,
        verdict=Verdict.INCONCLUSIVE if held is None else None,
        locations=(at, *further),
        old_text=one.old_text,
        new_text=place.text,
        condition=str(exemption.condition),
        parameters=exemption.row,
        quarantined=bool(held),
    )


def _unseen(one: Fresh, locations: tuple[Location, ...]) -> BaseFinding:
    reason = one.exemption.unseen
    return ExemptionUnseen(
        rule=UNSEEN,
        message=f"nobody can tell whether this test still runs: {reason}",
        verdict=Verdict.INCONCLUSIVE,
        locations=locations,
        new_text=one.exemption.place.text,
        reason=reason,
    )


def _said(exemption: Exemption) -> str:
    what = "may fail" if exemption.is_xfail and exemption.runs else "does not run"
    when = str(exemption.condition)
    whom = f" with the parameters {exemption.row}" if exemption.row else ""
    on = "" if when == "always" else f" where {when[:200]}"
    return f"the test{whom} {what}{on}, which the parent's did not allow"


def _why(held: bool | None) -> str:
    if held:
        return "; the ledger quarantines it"
    return "; the ledger quarantines it, but no day was given" if held is None else ""


def _of_cause(shared: list[Fresh]) -> BaseFinding:
    first = shared[0].exemption
    nodes = (_location(one) for one in shared)
    place = Location(first.place.path, first.place.line, first.place.column)
    what = "may fail" if first.is_xfail and first.runs else "do not run"
    return NodesExempted(
        rule=BY_ID[first.rule],
        message=f"{len(shared)} tests of the parent's {what} because of this",
        locations=(place, *nodes),
        old_text=shared[0].old_text,
        new_text=first.place.text,
        condition=str(first.condition),
        count=len(shared),
    )


def unreadable(path: str, reason: str) -> BaseFinding:
    """Return the finding for a file whose tests, or whose hooks, could not be read."""
    return ExemptionUnseen(
        rule=UNSEEN,
        message=f"nobody can tell which tests of this file still run: {reason}",
        verdict=Verdict.INCONCLUSIVE,
        locations=(Location(path),),
        reason=reason,
    )
