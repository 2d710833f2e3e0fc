"""The rules of ``ledger-expiry`` and the findings it yields."""

from __future__ import annotations

import datetime

import attrs

from benchhygiene import (
    AllowedAction,
    BaseFinding,
    Ledger,
    LedgerEntry,
    Location,
    Rule,
    Severity,
    SymbolKind,
)
from benchhygiene_plugins.ledger_expiry.limits import live_entries

PATH = "flakes/ledger.json"

EXPIRED = Rule("ledger.expired", "An entry has expired: its node is scored again", Severity.WARNING)
EXPIRING = Rule("ledger.expiring", "An entry is about to expire", Severity.NOTE)
DANGLING = Rule(
    "ledger.dangling", "An entry names a node that pytest would not collect", Severity.WARNING
)
OVER_LIMIT = Rule("ledger.over_limit", "The ledger breaks its own policy", Severity.WARNING)

RULES = (EXPIRED, EXPIRING, DANGLING, OVER_LIMIT)


@attrs.frozen(kw_only=True)
class EntryFound(BaseFinding):
    """Something is to be said about one entry of the ledger."""

    action: AllowedAction
    expires: datetime.date
    owner: str


@attrs.frozen(kw_only=True)
class LedgerTooLong(BaseFinding):
    """More entries hold than the ledger's policy allows."""

    entries: int
    limit: int | None


def _about(
    entry: LedgerEntry, rule: Rule, message: str, severity: Severity | None = None
) -> EntryFound:
    return EntryFound(
        rule=rule,
        message=message,
        locations=(Location(PATH, symbol=entry.node_id, symbol_kind=SymbolKind.NODE),),
        severity=severity,
        action=entry.allowed_action,
        expires=entry.expires,
        owner=entry.owner,
    )


def _named(entry: LedgerEntry) -> str:
    return f"the ledger's entry ({entry.allowed_action.value}) for {entry.node_id}"


def expired(entry: LedgerEntry) -> EntryFound:
    """Return the finding for an entry that allows nothing any more."""
    return _about(
        entry,
        EXPIRED,
        f"{_named(entry)} expired on {entry.expires} and allows nothing any more: the node is "
        f"scored again; {entry.owner} should mend the test and remove the entry",
    )


def expiring(entry: LedgerEntry) -> EntryFound:
    """Return the finding for an entry whose end is near."""
    return _about(
        entry,
        EXPIRING,
        f"{_named(entry)} expires on {entry.expires}; {entry.owner} should mend the test by then",
    )


def dangling(entry: LedgerEntry) -> EntryFound:
    """Return the finding for an entry whose node the parent does not have."""
    return _about(
        entry,
        DANGLING,
        f"{_named(entry)} speaks of no node of the parent; correct the node id or remove the entry",
    )


def perhaps_dangling(entry: LedgerEntry) -> EntryFound:
    """Return the finding for an entry whose node may or may not be there.

    It is a note, not a doubt about the verdict: even a certain one would not change that.
    """
    return _about(
        entry,
        DANGLING,
        f"{_named(entry)} could not be looked up: what the parent holds there is not known",
        Severity.NOTE,
    )


def over_limit(entry: LedgerEntry, breach: str) -> EntryFound:
    """Return the finding for one entry that the policy forbids."""
    return _about(entry, OVER_LIMIT, f"{_named(entry)} {breach}")


def too_long(ledger: Ledger, on: datetime.date) -> LedgerTooLong:
    """Return the finding for a ledger with too many entries."""
    number = live_entries(ledger, on)
    limit = ledger.policy.max_entries if ledger.policy else None
    return LedgerTooLong(
        rule=OVER_LIMIT,
        message=f"{number} entries have not expired, and the policy allows {limit}",
        locations=(Location(PATH),),
        entries=number,
        limit=limit,
    )
