"""What is wrong with entries by themselves, and against the ledger they were made from."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import TypeAlias

from benchhygiene import AllowedAction, Ledger, LedgerEntry
from benchhygiene.inventory.failure_shapes import failure_of, shape

_Key: TypeAlias = tuple[str, AllowedAction, str]


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

    A node that fails in two ways has an entry for each. Entries that have expired do not count: one
    may stand beside the one that a person made anew.
    """
    found: dict[_Key, list[LedgerEntry]] = {}
    for entry in ledger.entries:
        if not entry.is_expired(on):
            found.setdefault(_key(entry), []).append(entry)
    for entries in found.values():
        if len(entries) > 1:
            yield entries[0], len(entries)


def growth(ledger: Ledger, parent: Ledger) -> Iterator[tuple[LedgerEntry, datetime.date | None]]:
    """Yield each entry that is new, or ends later than it did, with the day it ended before.

    An entry is the same one as long as it lets the same happen to the same node, for the same
    shape of failure.
    """
    before: dict[_Key, datetime.date] = {}
    for entry in parent.entries:
        key = _key(entry)
        before[key] = max(entry.expires, before.get(key, entry.expires))
    for entry in ledger.entries:
        ended = before.get(_key(entry))
        if ended is None or entry.expires > ended:
            yield entry, ended


def _key(entry: LedgerEntry) -> _Key:
    return entry.node_id, entry.allowed_action, shape(failure_of(entry.signature))
