"""The day on which a question is judged."""

from __future__ import annotations

import datetime
import re

import attrs

from benchhygiene.errors import InputError

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def day(text: str) -> datetime.date:
    """Return the date that the text writes as ``YYYY-MM-DD``; raises InputError for others.

    ISO 8601 has more forms, and ``date.fromisoformat`` takes more of them with every version.
    """
    if _DAY.fullmatch(text) is not None:
        try:
            return datetime.date.fromisoformat(text)
        except ValueError:
            pass
    raise InputError(f"expected a day as YYYY-MM-DD, not {text[:40]!r}")


def _plain_date(_: object, __: object, value: datetime.date) -> None:
    if type(value) is not datetime.date:
        raise InputError(f"AsOf takes a datetime.date, not a {type(value).__name__}")


@attrs.frozen
class AsOf:
    """The day that ledger entries, waivers and baselines are held against.

    It is evidence like any other, so that a report can be made again years later. Raises InputError
    for what is not a plain date.
    """

    date: datetime.date = attrs.field(validator=_plain_date)

    @classmethod
    def of(cls, text: str) -> AsOf:
        """Return the day written as ``YYYY-MM-DD``; raises InputError for anything else."""
        return cls(day(text))
