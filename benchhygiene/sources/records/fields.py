"""Take values out of JSON that nobody vouches for: the right kind, or an error with its place."""

from __future__ import annotations

import datetime
import math
from typing import cast

import attrs

from benchhygiene.errors import InputError
from benchhygiene.sources.documents import shown

_LONGEST = 20_000  # characters of a message that are kept


def printable(text: str) -> str:
    """Return the text as valid Unicode, and only its beginning where it is very long."""
    return text[:_LONGEST].encode("utf-8", "backslashreplace").decode()


def moment(seconds: float | None) -> datetime.datetime | None:
    """Return the moment so many seconds after 1970, None where no calendar has it."""
    try:
        return None if not seconds else datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    except (OverflowError, ValueError, OSError):
        return None


@attrs.frozen
class Fields:
    """The members of one JSON object, and where it stands in its file."""

    place: str
    members: dict[str, object]

    @classmethod
    def of(cls, value: object, place: str) -> Fields:
        """Return the members of an object; raises InputError for anything else."""
        if not isinstance(value, dict):
            raise InputError(f"{place}: expected an object, not {shown(value)}")
        return cls(place, cast("dict[str, object]", value))

    def has(self, key: str) -> bool:
        """Return whether the member is there and not null."""
        return self.members.get(key) is not None

    def text(self, key: str) -> str:
        """Return a text that must be there, be it empty."""
        value = self.members.get(key)
        if not isinstance(value, str):
            raise self._wrong(key, "text", value)
        return printable(value)

    def optional_text(self, key: str) -> str | None:
        """Return a text, None where there is none."""
        return self.text(key) if self.has(key) else None

    def optional_number(self, key: str) -> float | None:
        """Return a finite number, None where there is none."""
        value = self.members.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._wrong(key, "a number", value)
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self._wrong(key, "a number of some use", value)
        return number

    def optional_count(self, key: str) -> int | None:
        """Return a whole number, None where there is none."""
        value = self.members.get(key)
        if value is None:
            return None
        if type(value) is not int:
            raise self._wrong(key, "a whole number", value)
        return value

    def fields(self, key: str) -> Fields:
        """Return an object that must be there."""
        return Fields.of(self.members.get(key), self._at(key))

    def optional_fields(self, key: str) -> Fields | None:
        """Return an object, None where there is something else or nothing."""
        is_object = isinstance(self.members.get(key), dict)
        return self.fields(key) if is_object else None

    def items(self, key: str) -> list[object]:
        """Return a list that must be there."""
        value = self.members.get(key)
        if not isinstance(value, list):
            raise self._wrong(key, "a list", value)
        return cast("list[object]", value)

    def optional_items(self, key: str) -> list[object]:
        """Return a list, an empty one where there is none."""
        return self.items(key) if self.has(key) else []

    def all_fields(self, key: str) -> list[Fields]:
        """Return the objects of a list that may be left out."""
        return [
            Fields.of(value, f"{self._at(key)}[{index}]")
            for index, value in enumerate(self.optional_items(key))
        ]

    def _at(self, key: str) -> str:
        return f"{self.place}.{key}"

    def _wrong(self, key: str, expected: str, value: object) -> InputError:
        if key not in self.members:
            return InputError(f"{self.place}: has no {key}; expected {expected}")
        return InputError(f"{self._at(key)}: expected {expected}, not {shown(value)}")
