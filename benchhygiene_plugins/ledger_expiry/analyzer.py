"""The analyzer ``ledger-expiry``."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import (
    AsOf,
    BaseFinding,
    Bundle,
    Change,
    Ledger,
    LedgerEntry,
    LedgerPolicy,
    ParentLedger,
    SuiteRun,
)
from benchhygiene_plugins.ledger_expiry import findings
from benchhygiene_plugins.ledger_expiry.entries import disorder, duplicates, growth
from benchhygiene_plugins.ledger_expiry.lapse import Lapse, lapse
from benchhygiene_plugins.ledger_expiry.limits import breaches, is_too_long
from benchhygiene_plugins.ledger_expiry.presence import Presence, presences
from benchhygiene_plugins.ledger_expiry.reporting import of_run

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class LedgerOfDay(Bundle):
    """The ledger and the day it is read on, and what it can be held against.

    That is the change whose parent it speaks of, what a run of the suite did, and the ledger that
    it was made from.
    """

    ledger: Ledger
    as_of: AsOf
    change: Change | None = None
    run: SuiteRun | None = None
    parent: ParentLedger | None = None


@attrs.frozen
class LedgerExpiry:
    """Report what in the ledger no longer holds, soon will not, or never did.

    ``notice_days`` is how many days ahead an expiry is announced.
    """

    notice_days: int = 14
    name = "ledger-expiry"
    rules = findings.RULES
    consumes = LedgerOfDay

    def analyze(self, given: LedgerOfDay, /) -> Iterator[BaseFinding]:
        """Yield what is wrong with each entry, with the ledger as a whole, and with the run."""
        ledger, today = given.ledger, given.as_of.date
        for entry in ledger.entries:
            yield from self._days(entry, today)
        for entry, times in duplicates(ledger, today):
            yield findings.duplicate(entry, times)
        if given.change is not None:
            yield from _absent(ledger, given.change)
        if given.parent is not None:
            yield from _grown(ledger, given.parent.ledger)
        if given.run is not None:
            yield from of_run(given.run, ledger, today)
        yield from _over_limit(ledger, today)

    def _days(self, entry: LedgerEntry, today: datetime.date) -> Iterator[BaseFinding]:
        for fault in disorder(entry, today):
            yield findings.inverted(entry, fault)
        match lapse(entry, today, self.notice_days):
            case Lapse.EXPIRED:
                yield findings.expired(entry)
            case Lapse.EXPIRING:
                yield findings.expiring(entry)
            case Lapse.LIVE:
                pass

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.ledger_expiry.cases import CASES

        return CASES


def _absent(ledger: Ledger, change: Change) -> Iterator[BaseFinding]:
    for entry, presence in presences(ledger.entries, change.parent):
        if presence is Presence.ABSENT:
            yield findings.dangling(entry)
        elif presence is Presence.UNKNOWN:
            yield findings.perhaps_dangling(entry)


def _grown(ledger: Ledger, parent: Ledger) -> Iterator[BaseFinding]:
    for entry, before in growth(ledger, parent):
        yield findings.added(entry) if before is None else findings.extended(entry, before)


def _over_limit(ledger: Ledger, today: datetime.date) -> Iterator[BaseFinding]:
    policy = ledger.policy or LedgerPolicy()
    for entry in ledger.entries:
        for breach in breaches(entry, policy):
            yield findings.over_limit(entry, breach)
    if is_too_long(ledger, today):
        yield findings.too_long(ledger, today)
