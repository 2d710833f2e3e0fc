"""JSON pointers (RFC 6901), and the local references that are made with them."""

from __future__ import annotations

import urllib.parse
from collections.abc import Mapping, Sequence
from typing import cast

from benchhygiene_plugins.oracles.contents import escaped


def step(pointer: str, name: str) -> str:
    """Return the pointer to a member of what a pointer leads to."""
    return f"{pointer}/{escaped(name)}"


def resolve(root: object, reference: str) -> object | None:
    """Return what a reference within the document leads to, None where it leads elsewhere."""
    if not reference.startswith("#"):
        return None
    found = root
    for part in urllib.parse.unquote(reference[1:]).split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict):
            found = cast("Mapping[str, object]", found).get(name)
        elif isinstance(found, list) and name.isdecimal() and len(name) < 7:
            rows = cast("Sequence[object]", found)
            found = rows[int(name)] if int(name) < len(rows) else None
        else:
            return None
    return found
