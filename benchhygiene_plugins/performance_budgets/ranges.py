"""What ranges, slices and spans of time hold."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from benchhygiene_plugins.performance_budgets.arithmetic import (
    is_measured,
)
from benchhygiene_plugins.performance_budgets.terms import NOTHING, Known, Made, Many, Term


def in_order(items: Term, words: dict[str, Term]) -> Term:
    """Return the items as ``sorted`` gives them."""
    if not isinstance(items, Many):
        return items
    turned = words.get("reverse")
    is_descending = isinstance(turned, Known) and bool(turned.value)
    return attrs.evolve(items, is_sorted=True, is_descending=is_descending)


def first_few(items: Many, most: Term) -> Term:
    """Return the items as ``itertools.islice`` gives them."""
    number = most.number if isinstance(most, Known) else None
    if number is None or items.number is None:
        return attrs.evolve(items, count=most)
    few = min(number, items.number)
    share = items.share * (few / items.number if items.number else 1.0)
    if is_measured(items):
        return attrs.evolve(items, share=share)
    return attrs.evolve(items, count=Known(int(few)))


def span_of(args: Sequence[Term]) -> Term:
    """Return the items of a ``range``."""
    numbers = [one.number if isinstance(one, Known) else None for one in args]
    if None not in numbers and numbers:
        bounds = [int(one) for one in numbers if one is not None]
        if len(bounds) < 3 or bounds[2]:
            span = range(*bounds)
            return Many(Known(max(len(span), 0) if abs(bounds[-1]) < 1 << 60 else 0), Made("each"))
    only = args[0] if len(args) == 1 else Made("range", tuple(args))
    return Many(only, Made("each"))


def seconds_of(words: dict[str, Term], args: Sequence[Term]) -> Term:
    """Return the seconds of a ``timedelta``."""
    seconds = {"days": 86400, "hours": 3600, "minutes": 60, "seconds": 1, "milliseconds": 1e-3}
    seconds["microseconds"] = 1e-6
    given = {**dict(zip(("days", "seconds"), args, strict=False)), **words}
    total = 0.0
    for name, term in given.items():
        number = term.number if isinstance(term, Known) else None
        if number is None or name not in seconds:
            return NOTHING
        total += number * seconds[name]
    return Known(total)
