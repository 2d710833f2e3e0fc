"""Hold the checks of two versions of a test against each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from benchhygiene_plugins.performance_budgets.bounds import (
    Bound,
    bound,
    is_stretched,
    iterations,
    percentiles,
    samples,
)
from benchhygiene_plugins.performance_budgets.losses import Loss, Lost
from benchhygiene_plugins.performance_budgets.recording import Check
from benchhygiene_plugins.performance_budgets.terms import Measure, Place, spelled

_UNITS = {"s": "s", "bytes": "bytes", "ratio": "times", "": ""}
_NEAR = 0.5  # percentiles that are as good as the same
_EXACT = 1e-9


def lost_checks(before: Sequence[Check], after: Sequence[Check]) -> Iterator[Lost]:
    """Yield what the checks of the candidate no longer demand."""
    old = [one for one in before if one.measured is not None]
    new = [one for one in after if one.measured is not None]
    for one, other in _paired(old, new):
        if other is not None:
            yield from _compared(one, other)
        else:
            yield from _gone(one, before, after)


def _paired(old: list[Check], new: list[Check]) -> Iterator[tuple[Check, Check | None]]:
    """Pair the checks: the same first, then those alike, then in order."""
    left, rest = list(new), list(old)
    for alike in (_same, _text, _like, _source):
        waiting: list[Check] = []
        for one in rest:
            found = next((other for other in left if alike(one) == alike(other)), None)
            if found is None:
                waiting.append(one)
                continue
            left.remove(found)
            yield one, found
        rest = waiting
    for one in rest:
        yield one, None


def _same(one: Check) -> object:
    return (_like(one), bound(one), one.measured and samples(one.measured), one.place.text)


def _text(one: Check) -> object:
    return (_source(one), one.place.text)


def _like(one: Check) -> object:
    measured = one.measured
    chain = tuple(step.name for step in measured.chain) if measured is not None else ()
    return (_source(one), measured and measured.unit, chain, one.is_upper)


def _source(one: Check) -> object:
    is_words = one.measured is not None and one.measured.source == "words"
    return is_words and _subject(one)


def _subject(one: Check) -> str:
    """Return what a check that only names tell of is about."""
    return one.place.text.partition("<")[0].partition(">")[0].strip() if one.is_upper else ""


def _gone(one: Check, before: Sequence[Check], after: Sequence[Check]) -> Iterator[Lost]:
    measured = one.measured
    if measured is None or measured.source == "words":
        return
    plain = [other for other in after if other.measured is None]
    same = next((other for other in plain if other.place.text == one.place.text), None)
    known = sum(other.place.text == one.place.text for other in before if other.measured is None)
    if same is not None and not known:
        reason = "what is compared with the limit no longer comes from a clock"
        yield Lost(Loss.CLOCK, reason, one.place, same.place)
        return
    limit = bound(one)
    value = limit.number if limit is not None and limit.is_plain else None
    reason = "nothing holds what is measured to a limit any more"
    yield Lost(Loss.THRESHOLD, reason, one.place, None, value, None, _UNITS.get(measured.unit, ""))


def _compared(old: Check, new: Check) -> Iterator[Lost]:
    first, second = old.measured, new.measured
    if first is None or second is None:
        return
    if new.is_optional and not old.is_optional:
        reason = "the test also passes where something else holds"
        yield Lost(Loss.THRESHOLD, reason, old.place, new.place)
    yield from _limits(old, new, first, second)
    yield from _ranks(old, new, first, second)
    yield from _samples(old, new, first, second)


def _limits(old: Check, new: Check, first: Measure, second: Measure) -> Iterator[Lost]:
    before, after = bound(old), bound(new)
    if before is None or after is None or before.is_upper != after.is_upper:
        return
    unit = _UNITS.get(first.unit, first.unit)
    if before.base == after.base and None not in (
        before.number,
        after.number,
        before.factor,
        after.factor,
    ):
        if _is_relaxed(before, after) and not _is_for_more(before, after, first, second):
            values = _values(before, after)
            reason = "the limit is looser"
            yield Lost(Loss.THRESHOLD, reason, old.place, new.place, *values, unit)
        return
    if before == after or first.source == "words":
        return
    stretched = before.is_plain and is_stretched(new.limit, _stated(old))
    reason = "the limit also depends on something whose value nobody can tell"
    is_scale = first.scale is None and second.scale is None
    if is_scale and new.limit and old.limit and spelled(new.limit) == spelled(old.limit):
        return
    yield Lost(
        Loss.THRESHOLD, reason, old.place, new.place, before.number, None, unit, not stretched
    )


def _stated(check: Check) -> float:
    number = getattr(check.limit, "number", None)
    return number if isinstance(number, float) else float("nan")


def _values(before: Bound, after: Bound) -> tuple[float | None, float | None]:
    if before.base and before.factor != after.factor:
        return before.factor, after.factor
    return before.number, after.number


def _is_relaxed(before: Bound, after: Bound) -> bool:
    steps = (
        _difference(before.number or 0.0, after.number or 0.0),
        _difference(before.factor or 0.0, after.factor or 0.0),
    )
    wanted = 1 if before.is_upper else -1
    return wanted in steps and -wanted not in steps


def _difference(old: float, new: float) -> int:
    if old != new and math.isinf(abs(new - old)):
        return 1 if new > old else -1
    if abs(new - old) <= _EXACT * max(abs(old), abs(new)):
        return 0
    return 1 if new > old else -1


def _is_for_more(before: Bound, after: Bound, first: Measure, second: Measure) -> bool:
    """Return whether a larger limit is for as much more work, each piece bounded as it was."""
    if not before.is_plain or not before.is_upper:
        return False
    counts = [_runs(one) for one in (first, second)]
    old, new = counts
    if old is None or new is None or old <= 0 or new <= old:
        return False
    return (after.number or 0.0) / new <= (before.number or 0.0) / old * (1 + _EXACT)


def _runs(one: Measure) -> float | None:
    often = iterations(one)
    is_sum = any(step.name in ("sum", "total") for step in one.chain)
    taken = samples(one) if is_sum else 1.0
    return None if often is None or taken is None else often * taken


def _ranks(old: Check, new: Check, first: Measure, second: Measure) -> Iterator[Lost]:
    before, after = percentiles(first), percentiles(second)
    if second.is_filtered and not first.is_filtered:
        reason = "samples are left out by their value"
        yield Lost(Loss.PERCENTILE, reason, old.place, new.place)
    if before is None or after is None:
        if before != after and first.chain != second.chain:
            reason = "nobody can tell which percentile is compared"
            yield Lost(Loss.PERCENTILE, reason, old.place, new.place, is_doubt=True)
        return
    fallen = _fallen(before, after, first, second, is_upper=old.is_upper)
    if fallen is not None:
        reason = "a percentile that is easier to hold is compared"
        yield Lost(Loss.PERCENTILE, reason, old.place, new.place, *fallen, "%")


def _fallen(
    before: tuple[float, ...],
    after: tuple[float, ...],
    first: Measure,
    second: Measure,
    *,
    is_upper: bool,
) -> tuple[float, float] | None:
    """Return the percentiles where the candidate's is the easier one."""
    worst, easiest = (100.0, min) if is_upper else (0.0, max)
    if not before and not after:
        return None
    pairs = [*zip(before, after, strict=False)]
    if len(before) != len(after):
        # Without a reduction each sample is compared, and each has to hold.
        one = easiest(before) if before else (worst if first.loops else 50.0)
        other = easiest(after) if after else (worst if second.loops else one)
        pairs = [(one, other)]
    sign = 1 if is_upper else -1
    return next(((x, y) for x, y in pairs if sign * (x - y) > _NEAR), None)


def _samples(old: Check, new: Check, first: Measure, second: Measure) -> Iterator[Lost]:
    before, after = samples(first), samples(second)
    if _is_left(second) and not _is_left(first) and second.loops:
        reason = "some samples are passed over"
        yield Lost(Loss.SAMPLES, reason, _place(first, old), _place(second, new))
    if before is not None and after is not None:
        if after < before * (1 - _EXACT):
            reason = "fewer samples are taken"
            places = (_place(first, old), _place(second, new))
            yield Lost(Loss.SAMPLES, reason, *places, before, after, "samples")
        return
    counts = [
        " * ".join(spelled(one.count) for one in each.loops if one.count)
        for each in (first, second)
    ]
    if counts[0] != counts[1] and (before is not None or len(first.loops) > len(second.loops)):
        reason = "nobody can tell how many samples are taken"
        yield Lost(
            Loss.SAMPLES, reason, old.place, new.place, before, after, "samples", is_doubt=True
        )


def _is_left(measured: Measure) -> bool:
    return any(loop.is_left for loop in measured.loops)


def _place(measured: Measure, check: Check) -> Place:
    return measured.loops[-1].place if measured.loops else check.place
