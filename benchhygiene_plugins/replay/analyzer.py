"""The analyzer ``replay``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import AsOf, BaseFinding, Bundle, Ledger, Replay
from benchhygiene_plugins.replay import findings
from benchhygiene_plugins.replay.believing import circumstances, tampering
from benchhygiene_plugins.replay.scoring import budgets, failures, silences

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class ReplayOfDay(Bundle):
    """A replay, and the ledger of a day: what it quarantines is not scored here."""

    replay: Replay
    ledger: Ledger | None
    as_of: AsOf | None


@attrs.frozen
class ReplayRun:
    """Report a run that cannot be believed, and what the pack's tests say about the candidate."""

    name = "replay"
    rules = findings.RULES
    consumes = ReplayOfDay

    def analyze(self, given: ReplayOfDay, /) -> Iterator[BaseFinding]:
        """Yield signs of tampering first, then failures, budgets and what was left open."""
        yield from tampering(given.replay)
        yield from failures(given.replay, _omitted(given))
        yield from budgets(given.replay)
        yield from silences(given.replay)
        yield from circumstances(given.replay)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.replay.cases import CASES

        return CASES


def _omitted(given: ReplayOfDay) -> frozenset[str]:
    """Return the nodes that are not scored on the day; without a day every node is."""
    if given.ledger is None or given.as_of is None:
        return frozenset()
    nodes = given.replay.suite.by_node
    return frozenset(one for one in nodes if given.ledger.quarantines(one, given.as_of.date))
