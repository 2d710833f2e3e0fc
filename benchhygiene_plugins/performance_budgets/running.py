"""Hold what two versions of a test run, and with which settings, against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from benchhygiene_plugins.performance_budgets.bounds import product, timed
from benchhygiene_plugins.performance_budgets.losses import Loss, Lost
from benchhygiene_plugins.performance_budgets.recording import (
    Amount,
    Record,
    Run,
    Setting,
    Timeout,
)
from benchhygiene_plugins.performance_budgets.shrinking import shrunk
from benchhygiene_plugins.performance_budgets.terms import (
    Event,
    Loop,
    Made,
    Place,
    Ref,
    Term,
    spelled,
)
from benchhygiene_plugins.performance_budgets.vocabulary import PROCESSOR_CLOCKS

T = TypeVar("T")
_PLAIN = frozenset(("len", "abs", "list", "sorted", "sum", "range", "print"))


def lost_runs(old: Record, new: Record) -> Iterator[Lost]:
    """Yield what is run less often, on less, or no longer."""
    if old.runs and not new.runs and not new.clocks:
        if old.runs[0].source != "clock":
            reason = "nothing is measured any more"
            yield Lost(Loss.SAMPLES, reason, old.runs[0].place)
        return
    for one, other in _paired(_distinct(old.runs), _distinct(new.runs), (_whole, _calls, _source)):
        if other is not None:
            yield from _run(one, other)


def _distinct(runs: Sequence[Run]) -> list[Run]:
    return list({_whole(one): one for one in runs}.values())


def _whole(one: Run) -> object:
    counts = tuple(_spelled(loop) for loop in one.loops)
    return (one.source, counts, tuple(_event(each, one.loops) for each in one.work))


def _event(one: Event, loops: Sequence[Loop]) -> object:
    return (spelled(one.call), tuple(map(_spelled, timed(one, loops))))


def _spelled(loop: Loop) -> str:
    return spelled(loop.count) if loop.count is not None else "?"


def _calls(one: Run) -> object:
    return (one.source, tuple(map(called, one.work)))


def _source(one: Run) -> object:
    return one.source


def _paired(
    old: Sequence[T], new: Sequence[T], ways: Sequence[Callable[[T], object]]
) -> Iterator[tuple[T, T | None]]:
    """Pair what is alike in one way or another, and then what is left in its order."""
    rest, left = list(old), list(new)
    for way in ways:
        waiting: list[T] = []
        for one in rest:
            at = next((k for k, other in enumerate(left) if way(one) == way(other)), None)
            if at is None:
                waiting.append(one)
            else:
                yield one, left.pop(at)
        rest = waiting
    for at, one in enumerate(rest):
        yield one, (left[at] if at < len(left) else None)


def called(event: Event) -> str:
    """Return the last word of what an event calls."""
    first: Term = event.call.parts[0]
    name = first.name if isinstance(first, Ref | Made) else ""
    return name.rpartition(".")[2]


def _run(old: Run, new: Run) -> Iterator[Lost]:
    yield from _often(old.loops, new.loops, old, new)
    before = [one for one in old.work if called(one) not in _PLAIN]
    after = [one for one in new.work if called(one) not in _PLAIN]
    for one, other in _paired(before, after, (_key, called)):
        if other is None:
            reason = "a call of the code is no longer part of what is measured"
            yield Lost(Loss.WORKLOAD, reason, one.place, new.place)
        else:
            yield from _given(one, other, timed(one, old.loops), timed(other, new.loops))


def _key(one: Event) -> object:
    return (called(one), spelled(one.call))


def _often(
    before: Sequence[Loop], after: Sequence[Loop], old: Run | Event, new: Run | Event
) -> Iterator[Lost]:
    counts = product(before), product(after)
    if any(loop.is_left for loop in after) and not any(loop.is_left for loop in before):
        reason = "some runs of the code are passed over"
        yield Lost(Loss.SAMPLES, reason, _place(before, old), _place(after, new))
    if counts[0] is not None and counts[1] is not None and counts[1] < counts[0]:
        places = (_place(before, old), _place(after, new))
        yield Lost(Loss.SAMPLES, "the code runs less often", *places, *counts, "runs")


def _place(loops: Sequence[Loop], one: Run | Event) -> Place:
    return loops[-1].place if loops else one.place


def _given(old: Event, new: Event, before: Sequence[Loop], after: Sequence[Loop]) -> Iterator[Lost]:
    for one in _often(before, after, old, new):
        yield one
        unit = "s" if any(loop.is_duration for loop in before) else "runs"
        reason = "less is done in what is measured"
        yield Lost(Loss.WORKLOAD, reason, one.old, one.new, one.old_value, one.new_value, unit)
    for found in shrunk(old.call, new.call):
        values = (found.old, found.new)
        if found.is_warm:
            reason = "every sample is given the same, so that only a warm cache is measured"
            yield Lost(Loss.SAMPLES, reason, old.place, new.place)
        reason = "the code is given less"
        yield Lost(Loss.WORKLOAD, reason, old.place, new.place, *values)


def lost_warmups(old: Record, new: Record) -> Iterator[Lost]:
    """Yield the warm-up that happens less often before the clock is first read."""
    before, after = warmups(old), warmups(new)
    for name, (count, event) in sorted(before.items()):
        left = after[name][0] if name in after else 0.0
        if left < count and name in {called(one) for run in new.runs for one in run.work}:
            place = event.loops[-1].place if event.loops else event.place
            other = after[name][1] if name in after else None
            now = None if other is None else (other.loops[-1] if other.loops else other).place
            yield Lost(
                Loss.SAMPLES, "there is less warm-up", place, now, count, left, "warm-up runs"
            )


def warmups(record: Record) -> dict[str, tuple[float, Event]]:
    """Return how often what is measured is run before the clock is first read."""
    names = {called(one) for run in record.runs for one in run.work} - _PLAIN
    found: dict[str, tuple[float, Event]] = {}
    for one in record.events[: record.first_reading or 0]:
        name, count = called(one), product(one.loops)
        if name in names and name and count is not None:
            found[name] = (found.get(name, (0.0, one))[0] + count, one)
    return found


def lost_amounts(old: Sequence[Amount], new: Sequence[Amount]) -> Iterator[Lost]:
    """Yield the rounds, iterations and repeats that are fewer."""
    for one, other in _paired(old, new, (_amount, _setting)):
        if other is None:
            if one.setting is Setting.WARMED and one.value:
                yield _fewer(one, None, 0.0)
            continue
        if one.setting is not other.setting and not _is_fixed(one, other):
            continue
        if one.value is not None and other.value is not None and other.value < one.value:
            yield _fewer(one, other, other.value)
        elif one.value is not None and other.value is None:
            reason = f"nobody can tell the {other.setting.value}"
            yield Lost(
                Loss.SAMPLES, reason, one.place, other.place, one.value, None, "", is_doubt=True
            )


def _is_fixed(one: Amount, other: Amount) -> bool:
    return one.setting is Setting.LEAST_ROUNDS and other.setting is Setting.ROUNDS


def _fewer(one: Amount, other: Amount | None, value: float) -> Lost:
    place = other.place if other is not None else None
    reason = f"the {one.setting.value} are fewer"
    return Lost(Loss.SAMPLES, reason, one.place, place, one.value, value, one.setting.value)


def _amount(one: Amount) -> object:
    return (one.setting, one.value)


def _setting(one: Amount) -> object:
    return one.setting


def lost_timeouts(old: Sequence[Timeout], new: Sequence[Timeout]) -> Iterator[Lost]:
    """Yield the timeouts that are longer, or gone."""
    for one, other in _paired(old, new, (_timeout, _word)):
        if other is None:
            reason = f"nothing gives up after {one.word} any more"
            yield Lost(Loss.THRESHOLD, reason, one.place, None, one.value, None, "")
        elif one.value is not None and other.value is not None:
            if one.value > 0 and (other.value > one.value or other.value == 0):
                reason = f"{one.word} allows more"
                values = (one.value, other.value)
                yield Lost(Loss.THRESHOLD, reason, one.place, other.place, *values)
        elif one.value is not None:
            reason = f"nobody can tell what {other.word} allows"
            yield Lost(
                Loss.THRESHOLD, reason, one.place, other.place, one.value, None, "", is_doubt=True
            )


def _timeout(one: Timeout) -> object:
    return (one.word, one.value)


def _word(one: Timeout) -> object:
    return one.word


def lost_clocks(old: Record, new: Record) -> Iterator[Lost]:
    """Yield what takes the place of a clock."""
    if not old.clocks:
        return
    known = Counter(one.target for one in old.fakes)
    for one in new.fakes:
        if not known[one.target]:
            reason = f"something else takes the place of {one.target}"
            yield Lost(Loss.CLOCK, reason, None, one.place)
            known[one.target] += 1
    fresh = sorted({*new.clocks} & PROCESSOR_CLOCKS - {*old.clocks})
    gone = {*old.clocks} - PROCESSOR_CLOCKS - {*new.clocks}
    if fresh and gone and new.runs:
        reason = f"{fresh[0]} stands still while the code waits"
        yield Lost(Loss.CLOCK, reason, old.runs[0].place if old.runs else None, new.runs[0].place)
