"""How single values of a listing's or a lock's file are read."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import TypeVar

from benchhygiene.sources.documents import Unexpected, shown

E = TypeVar("E", bound=enum.Enum)


def any_text(value: object) -> str:
    """Return any text, be it empty: what a server sent is kept as it is."""
    if not isinstance(value, str):
        raise Unexpected(f"expected text, not {shown(value)}")
    return value


def one_of(kind: type[E]) -> Callable[[object], E]:
    """Return how a value is read that must be one of an enum's."""

    def read(value: object) -> E:
        for member in kind:
            if type(value) is type(member.value) and value == member.value:
                return member
        known = ", ".join(str(member.value) for member in kind)
        raise Unexpected(f"expected one of {known}, not {shown(value)}")

    return read
