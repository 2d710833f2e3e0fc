"""The analyzer ``ledger-expiry``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import AsOf, BaseFinding, Bundle, Change, Ledger, LedgerPolicy
from benchhygiene_plugins.ledger_expiry import findings
from benchhygiene_plugins.ledger_expiry.lapse import Lapse, lapse
from benchhygiene_plugins.ledger_expiry.limits import breaches, is_too_long
from benchhygiene_plugins.ledger_expiry.presence import Presence, presences

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class LedgerOfDay(Bundle):
    """The ledger, the day it is read on, and the change whose parent it speaks of."""

    ledger: Ledger
    as_of: AsOf
    change: Change | None


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
        """Yield what is wrong with each entry, and with the ledger as a whole."""
        for entry in given.ledger.entries:
            match lapse(entry, given.as_of.date, self.notice_days):
                case Lapse.EXPIRED:
                    yield findings.expired(entry)
                case Lapse.EXPIRING:
                    yield findings.expiring(entry)
                case Lapse.LIVE:
                    pass
        if given.change is not None:
            yield from _absent(given.ledger, given.change)
        yield from _over_limit(given.ledger, given.as_of)

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


def _over_limit(ledger: Ledger, as_of: AsOf) -> Iterator[BaseFinding]:
    policy = ledger.policy or LedgerPolicy()
    for entry in ledger.entries:
        for breach in breaches(entry, policy):
            yield findings.over_limit(entry, breach)
    if is_too_long(ledger, as_of.date):
        yield findings.too_long(ledger, as_of.date)
