"""What ``[ ... ]`` and ``(( ... ))`` come to, where it can be known."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping

_COMPARED = re.compile(r"(\S+)\s+(-eq|-ne|-gt|-ge|-lt|-le|==?|!=|>=?|<=?)\s+(\S+)")
_RELATIONS = {
    "-eq": operator.eq,
    "-ne": operator.ne,
    "-gt": operator.gt,
    "-ge": operator.ge,
    "-lt": operator.lt,
    "-le": operator.le,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


def decided(text: str, variables: Mapping[str, str]) -> bool | None:
    """Return whether a test holds, None where it hangs on what is not known.

    In arithmetic a bare name stands for its variable.
    """
    plain = text.strip()
    if plain.startswith("! "):
        inner = decided(plain[2:], variables)
        return None if inner is None else not inner
    if found := re.fullmatch(r"-([nz])\s+(\S+)", plain):
        return None if "$" in found[2] else found[1] == "n"
    if found := _COMPARED.fullmatch(plain):
        left, right = (_number(variables.get(each, each)) for each in (found[1], found[3]))
        if left is None or right is None:
            return None
        return bool(_RELATIONS[found[2]](left, right))
    number = _number(variables.get(plain, plain))
    return None if number is None else number != 0


def _number(text: str) -> int | None:
    bare = text.strip("\"'")
    return int(bare) if bare.isdecimal() and len(bare) < 9 else None
