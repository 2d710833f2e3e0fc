"""The rules of ``ledger-expiry``, its finding classes, and what it says of entries alone."""

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
INVERTED = Rule("ledger.inverted", "An entry's days are out of order", Severity.WARNING)
DUPLICATE = Rule(
    "ledger.duplicate", "Two entries let the same happen to one node", Severity.WARNING
)
DANGLING = Rule(
    "ledger.dangling", "An entry names a node that pytest would not collect", Severity.WARNING
)
OVER_LIMIT = Rule("ledger.over_limit", "The ledger breaks its own policy", Severity.ERROR)
GROWN = Rule("ledger.grown", "The ledger excuses more than its parent did", Severity.WARNING)
STILL_FLAKY = Rule(
    "ledger.still_flaky", "A node whose quarantine has expired failed again", Severity.ERROR
)
UNKNOWN_SHAPE = Rule(
    "ledger.unknown_shape",
    "A node in quarantine failed in another way than its entry says",
    Severity.ERROR,
)
NEVER_SEEN = Rule(
    "ledger.never_seen", "Nothing shows the failure that an entry speaks of", Severity.WARNING
)
UNSETTLED = Rule(
    "ledger.unsettled", "The record of the run does not tell all there was", Severity.WARNING
)

RULES = (
    EXPIRED,
    EXPIRING,
    INVERTED,
    DUPLICATE,
    DANGLING,
    OVER_LIMIT,
    GROWN,
    STILL_FLAKY,
    UNKNOWN_SHAPE,
    NEVER_SEEN,
    UNSETTLED,
)


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


@attrs.frozen(kw_only=True)
class QuarantineTooWide(BaseFinding):
    """A larger part of the run's nodes is in quarantine than the ledger's policy allows."""

    quarantined: int
    nodes: int
    limit: float


@attrs.frozen(kw_only=True)
class FlakeFound(BaseFinding):
    """A node that an entry speaks of failed, and the entry does not excuse it.

    ``shapes`` are those of its failures, ``signature`` the entry's.
    """

    owner: str
    expires: datetime.date
    signature: str
    shapes: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class RunUnsettled(BaseFinding):
    """What the record of the run leaves open."""


def at(node_id: str) -> tuple[Location, ...]:
    """Return the place of a node's entry."""
    return (Location(PATH, symbol=node_id, symbol_kind=SymbolKind.NODE),)


def _about(
    entry: LedgerEntry, rule: Rule, message: str, severity: Severity | None = None
) -> EntryFound:
    return EntryFound(
        rule=rule,
        message=message,
        locations=at(entry.node_id),
        severity=severity,
        action=entry.allowed_action,
        expires=entry.expires,
        owner=entry.owner,
    )


def named(entry: LedgerEntry) -> str:
    """Return how a message calls an entry."""
    return f"the ledger's entry ({entry.allowed_action.value}) for {entry.node_id}"


def expired(entry: LedgerEntry) -> EntryFound:
    """Return the finding for an entry that allows nothing any more."""
    return _about(
        entry,
        EXPIRED,
        f"{named(entry)} expired on {entry.expires} and allows nothing any more: the node is "
        f"scored again; {entry.owner} should mend the test and remove the entry",
    )


def expiring(entry: LedgerEntry) -> EntryFound:
    """Return the finding for an entry whose end is near."""
    return _about(
        entry,
        EXPIRING,
        f"{named(entry)} expires on {entry.expires}; {entry.owner} should mend the test by then",
    )


def inverted(entry: LedgerEntry, fault: str) -> EntryFound:
    """Return the finding for an entry whose days cannot all be right."""
    return _about(entry, INVERTED, f"{named(entry)} {fault}; correct its days")


def duplicate(entry: LedgerEntry, times: int) -> EntryFound:
    """Return the finding for a node that has several entries of one kind that hold."""
    return _about(
        entry,
        DUPLICATE,
        f"{named(entry)} stands {times} times; keep the one whose days and signature are right",
    )


def added(entry: LedgerEntry) -> EntryFound:
    """Return the finding for an entry that the parent's ledger does not have."""
    return _about(
        entry, GROWN, f"{named(entry)} is new against the parent pack, and holds to {entry.expires}"
    )


def extended(entry: LedgerEntry, before: datetime.date) -> EntryFound:
    """Return the finding for an entry that ends later than it did in the parent's ledger."""
    return _about(
        entry,
        GROWN,
        f"{named(entry)} held to {before} in the parent pack, and to {entry.expires} now",
    )


def never_run(entry: LedgerEntry, *, perhaps: bool) -> EntryFound:
    """Return the finding for an entry whose node the run did not run.

    Where the run's node ids are guesses, that it is not among them is only a note.
    """
    told = "; the record's node ids are put together from names, so it may be there by another"
    return _about(
        entry,
        NEVER_SEEN,
        f"{named(entry)}: its node was not run; a node in quarantine still runs"
        f"{told if perhaps else ''}",
        Severity.NOTE if perhaps else None,
    )


def never_failed(entry: LedgerEntry) -> EntryFound:
    """Return the finding for an entry whose failure neither the run nor the ledger has seen."""
    return _about(
        entry,
        NEVER_SEEN,
        f"{named(entry)}: its node did not fail in this run, and the entry has no last_seen",
        Severity.NOTE,
    )


def dangling(entry: LedgerEntry) -> EntryFound:
    """Return the finding for an entry whose node the parent does not have."""
    return _about(
        entry,
        DANGLING,
        f"{named(entry)} speaks of no node of the parent; correct the node id or remove the entry",
    )


def perhaps_dangling(entry: LedgerEntry) -> EntryFound:
    """Return the finding for an entry whose node may or may not be there.

    It is a note, not a doubt about the verdict: even a certain one would not change that.
    """
    return _about(
        entry,
        DANGLING,
        f"{named(entry)} could not be looked up: what the parent holds there is not known",
        Severity.NOTE,
    )


def over_limit(entry: LedgerEntry, breach: str) -> EntryFound:
    """Return the finding for one entry that the policy forbids."""
    return _about(entry, OVER_LIMIT, f"{named(entry)} {breach}")


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
