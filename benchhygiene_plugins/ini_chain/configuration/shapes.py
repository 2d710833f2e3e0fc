"""Narrow a value of unknown type to the shape that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast


def table(value: object) -> Mapping[str, object] | None:
    """Return the value where it is a table of a parsed document, None where it is not."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def items(value: object) -> list[object] | None:
    """Return the value as a list where it is a list, tuple or set, None where it is not."""
    if isinstance(value, list | tuple | set):
        return list(cast("list[object]", value))
    return None
