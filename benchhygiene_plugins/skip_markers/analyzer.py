"""The analyzer ``skip-markers``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Bundle, Location, SymbolKind
from benchhygiene.evidence import AsOf, Change, Ledger
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.pairing import Pair, Pairing, pair
from benchhygiene.inventory.touched import collected, rules_of
from benchhygiene_plugins.skip_markers.comparison import fresh, replaced
from benchhygiene_plugins.skip_markers.deltas import Deltas
from benchhygiene_plugins.skip_markers.doctests import lost
from benchhygiene_plugins.skip_markers.findings import DOCTEST, RULES, ExampleSkipped
from benchhygiene_plugins.skip_markers.inventory import Reader
from benchhygiene_plugins.skip_markers.reach import Reach
from benchhygiene_plugins.skip_markers.reporting import Fresh, Quarantine, report, unreadable

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class SkipEvidence(Bundle):
    """A change, and where there is a trusted pack its ledger and the day it is held against."""

    change: Change
    ledger: Ledger | None = None
    day: AsOf | None = None


@attrs.frozen
class SkipMarkers:
    """Report which tests of the parent's a candidate skips, or expects to fail."""

    name = "skip-markers"
    rules = RULES
    consumes = SkipEvidence

    def analyze(self, evidence: SkipEvidence, /) -> Iterator[BaseFinding]:
        """Yield what newly exempts each test, unless the ledger quarantines it."""
        change = evidence.change
        rules = rules_of(change)
        old, new = Reader.of(change.parent), Reader.of(change.candidate)
        reach = Reach(change, rules, old, new)
        deltas = Deltas(reach, old, new)
        pairing = pair(*collected(change, reach.paths()))
        asked = (each for each in _pairs(pairing) if deltas.may_exempt(each))
        found = (one for each in asked for one in _fresh(each, old, new))
        yield from report(found, Quarantine(evidence.ledger, evidence.day))
        yield from _unreadable(pairing, old, new)
        yield from _examples(change)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.skip_markers.cases import CASES

        return CASES


def _pairs(pairing: Pairing) -> Iterator[Pair]:
    """Yield every pair; a definition that is there but not collected still has its markers."""
    passed = {one.node_id: one for one in pairing.candidate.passed_over}
    for each in pairing.pairs:
        one = passed.get(each.old.node_id) if each.new is None else None
        if one is None:
            yield each
            continue
        path, qualname = one.path, one.qualname
        yield Pair(each.old, Node(one.node_id, path, path, qualname, one.definition, one.classes))


def _fresh(each: Pair, old: Reader, new: Reader) -> Iterator[Fresh]:
    """Yield the first fresh exemption of each rule: a test needs to be skipped only once."""
    if each.new is None:
        return
    after = new.read(each.new)
    if not after:
        return
    before = old.read(each.old)
    rows = (old.rows(each.old, before), new.rows(each.new, after))
    seen: set[str] = set()
    for one in fresh(before, after, *rows):
        key = one.unseen or one.rule
        if key not in seen:
            seen.add(key)
            yield Fresh(each, one, replaced(one, before, after))


def _unreadable(pairing: Pairing, old: Reader, new: Reader) -> Iterator[BaseFinding]:
    """Yield the files that have no tree, on the side they were needed."""
    had = {one.path for one in pairing.parent.nodes}
    for collection, reader in ((pairing.parent, old), (pairing.candidate, new)):
        for path in dict.fromkeys(one.path for one in collection.unseen):
            error = reader.evaluator.file(path).error
            if error is not None and (path in had or reader is old):
                yield unreadable(path, error)


def _examples(change: Change) -> Iterator[BaseFinding]:
    for path in change.differing():
        if not (change.parent.is_file(path) and change.candidate.is_file(path)):
            continue
        for one in lost(change.parent, change.candidate, path):
            yield ExampleSkipped(
                rule=DOCTEST,
                message="this example ran in the parent and is skipped now",
                locations=(Location(path, one.line, None, one.node_id, SymbolKind.NODE),),
                old_text=one.old_text,
                new_text=one.new_text,
            )
