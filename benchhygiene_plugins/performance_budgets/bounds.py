"""What a check bounds: the limit in the unit of what is measured, the percentile, the samples."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence

import attrs

from benchhygiene_plugins.performance_budgets.recording import Check
from benchhygiene_plugins.performance_budgets.terms import (
    Event,
    Known,
    Loop,
    Made,
    Measure,
    Term,
    parts,
    spelled,
)

_OPERATORS = {kind.__name__: kind for kind in (ast.Mult, ast.Div, ast.Add, ast.Sub)}


@attrs.frozen
class Bound:
    """A limit: ``factor`` times something, plus ``number``; ``base`` names it, empty for none.

    ``number`` and ``factor`` are in the unit of what is measured, None where they are not known.
    ``is_upper`` is for the quantity itself.
    """

    factor: float | None
    base: str
    number: float | None
    is_upper: bool

    @property
    def is_plain(self) -> bool:
        """Return whether it is a known number."""
        return not self.base and self.number is not None


def bound(check: Check) -> Bound | None:
    """Return what a check bounds, None where nothing measured is bounded."""
    measured, limit = check.measured, check.limit
    if measured is None or limit is None:
        return None
    factor, base, number = _linear(limit, check.is_upper)
    scale = measured.scale
    if scale is None or scale == 0:
        return Bound(None, base or "?", None, check.is_upper)
    if measured.is_inverse:
        inverse = 1 / (number * scale) if not base and number else None
        return Bound(factor, base or ("" if inverse else "?"), inverse, not check.is_upper)
    if number is not None:
        number = (number - measured.shift) / scale
    is_upper = check.is_upper if scale > 0 else not check.is_upper
    return Bound(None if factor is None else factor / scale, base, number, is_upper)


def _linear(term: Term, is_upper: bool, depth: int = 0) -> tuple[float | None, str, float | None]:
    """Return a term as ``factor * base + number``."""
    if isinstance(term, Known) and term.number is not None:
        return 0.0, "", term.number
    if isinstance(term, Measure) and term.scale is not None:
        names = " ".join(step.name for step in term.chain)
        return term.scale, f"measure:{term.source}:{names}", term.shift
    if isinstance(term, Made) and depth < 20:
        if term.name in _OPERATORS and len(term.parts) == 2:
            found = _operated(term, is_upper, depth + 1)
            if found is not None:
                return found
        if term.name == "either":
            options = [_linear(one, is_upper, depth + 1) for one in term.parts]
            plain = [number for _, base, number in options if not base and number is not None]
            if len(plain) == len(options):
                return 0.0, "", (max if is_upper else min)(plain)
    return 1.0, spelled(term), 0.0


def _operated(
    term: Made, is_upper: bool, depth: int
) -> tuple[float | None, str, float | None] | None:
    left, right = (_linear(one, is_upper, depth) for one in term.parts)
    if term.name in ("Add", "Sub") and not (left[1] and right[1]):
        sign = 1 if term.name == "Add" else -1
        if right[1] and sign < 0:
            return None
        number = None if left[2] is None or right[2] is None else left[2] + sign * right[2]
        return (left[0] if left[1] else right[0]), left[1] or right[1], number
    if term.name == "Mult" and not left[1]:
        return _times(right, left[2])
    if term.name == "Mult" and not right[1]:
        return _times(left, right[2])
    if term.name == "Div" and not right[1] and right[2]:
        return _times(left, 1 / right[2])
    return None


def _times(
    one: tuple[float | None, str, float | None], by: float | None
) -> tuple[float | None, str, float | None]:
    factor, base, number = one
    if by is None:
        return None, base, None
    return (
        None if factor is None else factor * by,
        base,
        None if number is None else number * by,
    )


def is_stretched(limit: Term | None, number: float) -> bool:
    """Return whether a limit is made of a number and of something that nobody knows."""
    if not isinstance(limit, Made) or limit.name not in ("Mult", "Add", "()", "Div", "either"):
        return False
    return any(isinstance(one, Known) and one.number == number for one in parts(limit))


def product(loops: Sequence[Loop]) -> float | None:
    """Return how often loops run together, None where that is not known."""
    known = [loop.number for loop in loops]
    return None if None in known else math.prod(one for one in known if one is not None)


def samples(measured: Measure) -> float | None:
    """Return of how many samples something is made, None where that is not known."""
    count = product(measured.loops)
    return None if count is None else count * measured.share


def timed(event: Event, loops: Sequence[Loop]) -> tuple[Loop, ...]:
    """Return the loops that a call stands in while it is measured once."""
    return event.loops[len(loops) :]


def iterations(measured: Measure) -> float | None:
    """Return how often the code runs in one measurement, None where that is not known."""
    counts = [product(timed(one, measured.loops)) for one in measured.work]
    known = [one for one in counts if one is not None]
    return max(known, default=1.0) if len(known) == len(counts) else None


def percentiles(measured: Measure) -> tuple[float, ...] | None:
    """Return the percentiles that samples were reduced to, None where one is not known."""
    ranks = [step.rank for step in measured.chain if step.name not in ("sum", "total")]
    known = [one for one in ranks if one is not None]
    if len(known) != len(ranks):
        return None
    return tuple(known)
