"""Read the text of a contract: JSON or YAML."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import cast

import attrs

MOST_READ = 4_000_000  # bytes
YAML = (".yaml", ".yml")
SUFFIXES = (".json", *YAML)


@attrs.frozen
class Document:
    """What a file's text says, or why that is not known."""

    value: object = attrs.field(default=None, eq=False, repr=False)
    error: str | None = None


def read_json(data: bytes) -> Document:
    """Return what JSON text says; made for ``tree.derived``."""
    if len(data) > MOST_READ:
        return Document(error=f"{len(data)} bytes, more than {MOST_READ}")
    try:
        return Document(cast("object", json.loads(data.decode("utf-8-sig"))))
    except (ValueError, RecursionError) as error:
        return Document(error=f"is no JSON that can be read: {type(error).__name__}")


def read_yaml(data: bytes) -> Document:
    """Return what YAML text says; made for ``tree.derived``."""
    if len(data) > MOST_READ:
        return Document(error=f"{len(data)} bytes, more than {MOST_READ}")
    import yaml  # it takes as long to import as a small analysis, and few changes need it

    try:
        return Document(_keyed(yaml.safe_load(data.decode("utf-8-sig"))))
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, RecursionError) as error:
        return Document(error=f"is no YAML that can be read: {type(error).__name__}")


def _keyed(value: object, left: list[int] | None = None) -> object:
    """Return the value with texts for keys: 200 is a number in YAML, and in JSON a text.

    Raises ValueError for what grows beyond bounds, as aliases of aliases do.
    """
    left = [200_000] if left is None else left
    left[0] -= 1
    if left[0] < 0:
        raise ValueError("too large")
    if isinstance(value, dict):
        items = cast("dict[object, object]", value).items()
        return {_key(name): _keyed(one, left) for name, one in items}
    if isinstance(value, list):
        return [_keyed(one, left) for one in cast("list[object]", value)]
    return value


def _key(name: object) -> str:
    return (
        {True: "true", False: "false"}.get(name, str(name)) if isinstance(name, bool) else str(name)
    )


def reader_of(path: str) -> Callable[[bytes], Document]:
    """Return what reads a file of this name."""
    return read_yaml if path.endswith(YAML) else read_json
