"""Where what the code under test is given got smaller."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from benchhygiene_plugins.performance_budgets.terms import (
    EACH,
    Known,
    Made,
    Many,
    Row,
    Table,
    Term,
    parts,
)

_DIGITS = re.compile(r"\d+")
_LONGEST = 2_000
_DEEPEST = 40


@attrs.frozen
class Shrunk:
    """A number or a size that was larger; ``is_warm`` where one that varied no longer does."""

    old: float | None
    new: float | None
    is_warm: bool = False


def shrunk(old: Term, new: Term, depth: int = 0) -> Iterator[Shrunk]:
    """Yield the numbers and sizes in a term that the other one has smaller."""
    if old == new or depth > _DEEPEST:
        return
    match old, new:
        case (Known(), Known()):
            yield from _values(old, new)
        case (Made(), Made()) if old.name == new.name and len(old.parts) == len(new.parts):
            for one, other in zip(old.parts, new.parts, strict=True):
                yield from shrunk(one, other, depth + 1)
        case (Row(), Row()) if len(old.parts) == len(new.parts):
            for one, other in zip(old.parts, new.parts, strict=True):
                yield from shrunk(one, other, depth + 1)
        case (Table(), Table()):
            for name, value in old.items:
                found = new.get(name)
                if found is not None:
                    yield from shrunk(value, found, depth + 1)
        case (Many(), Many()):
            if old.count is not None and new.count is not None:
                yield from shrunk(old.count, new.count, depth + 1)
            yield from shrunk(old.element, new.element, depth + 1)
        case _:
            yield from _sizes(old, new)


def _values(old: Known, new: Known) -> Iterator[Shrunk]:
    before, after = _size(old), _size(new)
    if before is not None and after is not None and after < before:
        yield Shrunk(before, after)
    elif isinstance(old.value, str) and isinstance(new.value, str):
        yield from _texts(old.value[:_LONGEST], new.value[:_LONGEST])


def _texts(old: str, new: str) -> Iterator[Shrunk]:
    """Compare the numbers in texts that are code, as those given to timeit are."""
    if _DIGITS.sub("#", old) != _DIGITS.sub("#", new):
        return
    for one, other in zip(_DIGITS.findall(old), _DIGITS.findall(new), strict=True):
        if len(one) < 16 and int(other[:16]) < int(one):
            yield Shrunk(float(one), float(other[:16]))


def _sizes(old: Term, new: Term) -> Iterator[Shrunk]:
    before, after = _size(old), _size(new)
    if before is not None and after is not None:
        if after < before:
            yield Shrunk(before, after)
    elif _varies(old) and not _varies(new):
        yield Shrunk(None, None, is_warm=True)


def _varies(term: Term) -> bool:
    return any(isinstance(one, Made) and one.name == EACH.name for one in parts(term))


def _size(term: Term) -> float | None:
    """Return a number, or how much a value holds."""
    match term:
        case Known(value=str() | bytes() as text):
            return float(len(text))
        case Known():
            return term.number
        case Row():
            return float(len(term.parts))
        case Many():
            return term.number
        case _:
            return None
