"""Typed values as plain JSON."""

from __future__ import annotations

import datetime
import enum
import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeAlias, cast

import attrs

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"


def to_json(value: object) -> JSON:
    """Return the value as plain JSON: dicts, lists, strings, numbers, booleans and None.

    An attrs instance becomes an object of its public fields, an enum its value, a tuple a list, a
    set a sorted list, bytes text in which undecodable bytes are escaped, a date ISO 8601 text.
    Mappings are sorted by key. Raises TypeError for anything else, ValueError for NaN and infinity.
    """
    if isinstance(value, enum.Enum):  # first: a member of a StrEnum is text too
        return to_json(cast(object, value.value))
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return _finite(value)
    if isinstance(value, bytes):
        return value.decode(errors="backslashreplace")
    if isinstance(value, datetime.date):
        return value.isoformat()
    return _container_to_json(value)


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} has no JSON form")
    return value


def _container_to_json(value: object) -> JSON:
    if attrs.has(type(value)):
        return fields_to_json(value)
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return dict(sorted((_key(key), to_json(item)) for key, item in items))
    if isinstance(value, tuple | list):
        return [to_json(item) for item in cast("Sequence[object]", value)]
    if isinstance(value, AbstractSet):
        return sorted((to_json(item) for item in cast("AbstractSet[object]", value)), key=repr)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _key(key: object) -> str:
    plain = to_json(key)
    if not isinstance(plain, str):
        raise TypeError(f"a JSON object has text keys, not {type(key).__name__}")
    return plain


def fields_to_json(instance: object, *, without: frozenset[str] = frozenset()) -> dict[str, JSON]:
    """Return an attrs instance's public fields as a JSON object, in the order they are declared."""
    names = (
        field.name for field in attrs.fields(cast("type[attrs.AttrsInstance]", type(instance)))
    )
    return {
        name: to_json(cast(object, getattr(instance, name)))
        for name in names
        if name not in without and not name.startswith("_")
    }
