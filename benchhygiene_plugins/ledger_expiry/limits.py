"""What the ledger's own policy allows."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from benchhygiene import Ledger, LedgerEntry, LedgerPolicy, SuiteRun
from benchhygiene.inventory.fates import quarantined


def breaches(entry: LedgerEntry, policy: LedgerPolicy) -> Iterator[str]:
    """Yield what the policy has against one entry, each as the end of a sentence."""
    days = (entry.expires - entry.first_seen).days
    if policy.max_days is not None and days > policy.max_days:
        yield f"lives {days} days, and the policy allows {policy.max_days}"
    if policy.require_issue and entry.issue is None:
        yield "names no issue, and the policy requires one"


def live_entries(ledger: Ledger, on: datetime.date) -> int:
    """Return how many entries have not expired."""
    return sum(not entry.is_expired(on) for entry in ledger.entries)


def is_too_long(ledger: Ledger, on: datetime.date) -> bool:
    """Return whether more entries hold than the policy allows."""
    most = ledger.policy.max_entries if ledger.policy else None
    return most is not None and live_entries(ledger, on) > most


def is_too_wide(ledger: Ledger, run: SuiteRun, on: datetime.date) -> bool:
    """Return whether a larger part of the run's nodes is in quarantine than the policy allows."""
    most = ledger.policy.max_share if ledger.policy else None
    return most is not None and len(quarantined(run, ledger, on)) > most * len(run.by_node)
