"""The analyzer ``nodes``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Bundle
from benchhygiene.evidence import AsOf, Change, CollectedChange, Ledger
from benchhygiene.inventory.pairing import of_change, of_whole_files
from benchhygiene.inventory.touched import rules_of
from benchhygiene_plugins.nodes.comparison import changed_rows, lost_doctests
from benchhygiene_plugins.nodes.doubts import doubts
from benchhygiene_plugins.nodes.fates import Fates, Hidden
from benchhygiene_plugins.nodes.findings import RULES
from benchhygiene_plugins.nodes.permits import Permits
from benchhygiene_plugins.nodes.reporting import Reporter
from benchhygiene_plugins.nodes.reporting_collected import collection_findings

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class NodeEvidence(Bundle):
    """A change, and where there is a trusted pack its ledger and the day it is held against.

    ``collected`` is what a real pytest found in both trees, where one was asked.
    """

    change: Change
    ledger: Ledger | None = None
    day: AsOf | None = None
    collected: CollectedChange | None = None


@attrs.frozen
class Nodes:
    """Report which tests of the parent a candidate no longer has, or no longer runs as often."""

    name = "nodes"
    rules = RULES
    consumes = NodeEvidence

    def analyze(self, evidence: NodeEvidence, /) -> Iterator[BaseFinding]:
        """Yield what became of each test that is not simply still there."""
        change = evidence.change
        rules = rules_of(change)
        # A real collection is held against all that the sources show of a file.
        pairing = change.surveyed(of_change if evidence.collected is None else of_whole_files)
        ids = pairing.candidate.by_id().keys()
        reporter = Reporter(change, Permits(evidence.ledger, evidence.day, ids))
        fates = tuple(Fates(change, rules, pairing).all())
        for fate in fates:
            yield from reporter.fate(fate)
        hidden = frozenset(fate.node.node_id for fate in fates if isinstance(fate, Hidden))
        for old, new, difference in changed_rows(change, rules, pairing, hidden):
            yield from reporter.parameters(old, new, difference)
        for lost in lost_doctests(pairing):
            yield from reporter.doctest(lost)
        for doubt in doubts(pairing):
            yield from reporter.doubt(doubt)
        if evidence.collected is not None:
            yield from collection_findings(reporter, pairing, evidence.collected)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.nodes.cases import CASES

        return CASES
