"""Whether an entry still holds on a day."""

from __future__ import annotations

import datetime
import enum

from benchhygiene import LedgerEntry


class Lapse(enum.Enum):
    """How far an entry is from its end."""

    LIVE = "live"
    EXPIRING = "expiring"
    EXPIRED = "expired"


def lapse(entry: LedgerEntry, on: datetime.date, notice_days: int) -> Lapse:
    """Return whether the entry has expired, will within so many days, or neither."""
    if entry.is_expired(on):
        return Lapse.EXPIRED
    return Lapse.EXPIRING if (entry.expires - on).days <= notice_days else Lapse.LIVE
