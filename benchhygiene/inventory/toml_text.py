"""Parse TOML text with the standard library, refusing what would exhaust memory."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import cast

#: The parser keeps every prefix of a dotted key: this bounds their total length, in parts.
_DOTS = 16_000_000


class TomlRefused(ValueError):
    """Say why TOML text was not parsed although it may be valid."""


def parse_toml(text: str) -> Mapping[str, object]:
    """Return the document, read with the TOML dialect of Python 3.11 to 3.14.

    Line ends are translated first, as reading in text mode does. Raises tomllib.TOMLDecodeError for
    invalid TOML and TomlRefused for what is too costly to look at.
    """
    if sum(line.count(".") ** 2 for line in text.splitlines()) > _DOTS:
        raise TomlRefused("its dotted keys are too long to be looked at")
    try:
        document = tomllib.loads(text.replace("\r\n", "\n").replace("\r", "\n"))
    except (RecursionError, MemoryError) as error:
        raise TomlRefused(f"too deeply nested: {type(error).__name__}") from error
    return cast("Mapping[str, object]", document)
