"""Tell which entries of the flake ledger have lapsed, speak of nothing, or excuse too much."""

from __future__ import annotations

from benchhygiene.inventory.fates import FailedFor, Fate, NodeFate, fates
from benchhygiene_plugins.ledger_expiry.analyzer import LedgerExpiry, LedgerOfDay
from benchhygiene_plugins.ledger_expiry.findings import (
    EntryFound,
    FlakeFound,
    LedgerTooLong,
    QuarantineTooWide,
    RunUnsettled,
)
from benchhygiene_plugins.ledger_expiry.lapse import Lapse, lapse
from benchhygiene_plugins.ledger_expiry.presence import Presence, presences

__all__ = [
    "EntryFound",
    "FailedFor",
    "Fate",
    "FlakeFound",
    "Lapse",
    "LedgerExpiry",
    "LedgerOfDay",
    "LedgerTooLong",
    "NodeFate",
    "Presence",
    "QuarantineTooWide",
    "RunUnsettled",
    "fates",
    "lapse",
    "presences",
]
