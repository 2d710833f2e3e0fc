"""Ledger entries and waivers as literals."""

from __future__ import annotations

import datetime

import attrs

from benchhygiene import AllowedAction, LedgerEntry, Waiver


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


QUARANTINE = LedgerEntry(
    node_id="tests/test_a.py::test_a",
    first_seen=day("2026-09-18"),
    expires=day("2026-10-02"),
    signature="AssertionError: cents != 0",
    owner="payments",
    allowed_action=AllowedAction.QUARANTINE,
)
RENAME = attrs.evolve(
    QUARANTINE, allowed_action=AllowedAction.RENAME, renamed_to="tests/test_b.py::test_b"
)
WAIVER = Waiver(
    path="a.txt",
    kind="sample.shouted",
    reason="the heading is meant to be loud",
    approved_by="ann",
    expires=day("2026-10-02"),
)
