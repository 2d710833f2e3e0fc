"""What is wrong with entries by themselves, and against the ledger they were made from."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from benchhygiene import AllowedAction, Ledger, LedgerEntry


def disorder(entry: LedgerEntry, on: datetime.date) -> Iterator[str]:
    """Yield what is out of order in the entry's days, each as the end of a sentence."""
    if entry.expires < entry.first_seen:
        yield f"expires on {entry.expires}, before it was first seen on {entry.first_seen}"
    if entry.last_seen is not None and entry.last_seen < entry.first_seen:
        yield f"was last seen on {entry.last_seen}, before it was first seen on {entry.first_seen}"
    latest = max(entry.first_seen, entry.last_seen or entry.first_seen)
    if latest > on:
        yield f"was seen on {latest}, which is after {on}"


def duplicates(ledger: Ledger, on: datetime.date) -> Iterator[tuple[LedgerEntry, int]]:
    """Yield the first of each several entries that let the same happen to a node, with how many.

    Entries that have expired do not count: one may stand beside the one that a person made anew.
    """
    found: dict[tuple[str, AllowedAction], list[LedgerEntry]] = {}
    for entry in ledger.entries:
        if not entry.is_expired(on):
            found.setdefault((entry.node_id, entry.allowed_action), []).append(entry)
    for entries in found.values():
        if len(entries) > 1:
            yield entries[0], len(entries)


def growth(ledger: Ledger, parent: Ledger) -> Iterator[tuple[LedgerEntry, datetime.date | None]]:
    """Yield each entry that is new, or ends later than it did, with the day it ended before.

    An entry is the same one as long as it lets the same happen to the same node.
    """
    before: dict[tuple[str, AllowedAction], datetime.date] = {}
    for entry in parent.entries:
        key = (entry.node_id, entry.allowed_action)
        before[key] = max(entry.expires, before.get(key, entry.expires))
    for entry in ledger.entries:
        ended = before.get((entry.node_id, entry.allowed_action))
        if ended is None or entry.expires > ended:
            yield entry, ended
