"""Tell which entries of the flake ledger have lapsed, are about to, or speak of nothing."""

from __future__ import annotations

from benchhygiene_plugins.ledger_expiry.analyzer import LedgerExpiry, LedgerOfDay
from benchhygiene_plugins.ledger_expiry.findings import EntryFound, LedgerTooLong
from benchhygiene_plugins.ledger_expiry.lapse import Lapse, lapse
from benchhygiene_plugins.ledger_expiry.presence import Presence, presences

__all__ = [
    "EntryFound",
    "Lapse",
    "LedgerExpiry",
    "LedgerOfDay",
    "LedgerTooLong",
    "Presence",
    "lapse",
    "presences",
]
