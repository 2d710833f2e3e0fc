"""The analyzer ``performance-budgets``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Bundle, Change, Location
from benchhygiene.evidence.campaign import Campaign
from benchhygiene.inventory.pairing import of_change
from benchhygiene.inventory.rules import CONFIG_FILES
from benchhygiene.inventory.touched import rules_of
from benchhygiene_plugins.performance_budgets.campaigns import broken
from benchhygiene_plugins.performance_budgets.findings import RULES
from benchhygiene_plugins.performance_budgets.judging import judge, measures
from benchhygiene_plugins.performance_budgets.reporting import findings, of_file, unseen
from benchhygiene_plugins.performance_budgets.settings import lost_settings, settings

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class PerformanceEvidence(Bundle):
    """A change, and where there is a trusted pack what its campaign states."""

    change: Change
    campaign: Campaign | None = None


@attrs.frozen
class PerformanceBudgets:
    """Report which performance tests measure less, or allow more, than the parent's."""

    name = "performance-budgets"
    rules = RULES
    consumes = PerformanceEvidence

    def analyze(self, evidence: PerformanceEvidence, /) -> Iterator[BaseFinding]:
        """Yield what each test lost, what the options take from all, what breaks the campaign."""
        change = evidence.change
        yield from findings(judge(change), frozenset(change.differing()))
        yield from _unreadable(change)
        yield from _configured(change)
        if evidence.campaign is not None:
            yield from broken(evidence.campaign, change.candidate, rules_of(change))

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.performance_budgets.cases import CASES

        return CASES


def _unreadable(change: Change) -> Iterator[BaseFinding]:
    """Yield the files of performance tests whose tests are not known in the candidate."""
    if not any(path.endswith(".py") for path in change.differing()):
        return
    pairing = change.surveyed(of_change)
    for one in pairing.candidate.unseen:
        had = (node for node in pairing.parent.nodes if node.path == one.path)
        if one.is_whole_file and not one.is_addition and measures(change.parent, had):
            yield unseen(Location(one.path), one.reason)


def _configured(change: Change) -> Iterator[BaseFinding]:
    if not set(CONFIG_FILES).intersection(change.differing()):
        return
    old, new = (settings(tree) for tree in (change.parent, change.candidate))
    for one in (old, new):
        if one.error is not None:
            yield unseen(Location(one.path), one.error)
    if old.error is None and new.error is None:
        for lost in lost_settings(old, new):
            yield of_file(old.path or new.path, lost)
