"""The day a question is asked for: the one place that may look at the clock."""

from __future__ import annotations

import datetime

from benchhygiene.evidence.as_of import AsOf


def as_of(day: str | None = None) -> AsOf:
    """Return the day written as ``YYYY-MM-DD``, without one today's date in UTC.

    Raises InputError for a text that is no such day.
    """
    if day is None:
        return AsOf(datetime.datetime.now(datetime.UTC).date())
    return AsOf.of(day)
