"""What the performance tests of a tree measure, as numbers with units: nothing is judged here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from benchhygiene import SourceTree
from benchhygiene.inventory.collection import CollectionRules, Node, collect
from benchhygiene_plugins.performance_budgets.bounds import (
    bound,
    iterations,
    percentiles,
    product,
    samples,
    timed,
)
from benchhygiene_plugins.performance_budgets.profiles import Profile, profile
from benchhygiene_plugins.performance_budgets.recording import Check, Record, Run, Setting
from benchhygiene_plugins.performance_budgets.running import warmups
from benchhygiene_plugins.performance_budgets.sides import Side
from benchhygiene_plugins.performance_budgets.terms import Known, Many, Place, parts

_UNITS = {Setting.DURATION: "s", Setting.LEAST_TIME: "s"}


@attrs.frozen
class Fact:
    """One number by which a test measures.

    ``field`` is samples, iterations, percentile, threshold, lower threshold, workload, duration,
    timeout, warm-up runs, clock, faked clock, or a setting of a benchmark. ``value`` is None where
    it is not known, ``unit`` empty where there is none.
    """

    field: str
    value: float | None
    unit: str
    text: str
    path: str
    line: int


@attrs.frozen
class NodeBudgets:
    """One performance test; ``reason`` says why there may be more facts than these."""

    node_id: str
    path: str
    line: int
    facts: tuple[Fact, ...]
    reason: str | None = None


@attrs.frozen
class Inventory:
    """The performance tests of a tree; ``unseen`` are the files that could not be read."""

    nodes: tuple[NodeBudgets, ...]
    unseen: tuple[tuple[str, str], ...] = ()


def inventory(tree: SourceTree, paths: Iterable[str] | None = None) -> Inventory:
    """Return what every performance test in a tree, or in these files of it, measures."""
    collection = collect(tree, CollectionRules.of(tree), paths)
    side = tree.surveyed(Side.of)
    found = (_budgets(node, profile(side, node)) for node in collection.nodes)
    nodes = tuple(one for one in found if one.facts or one.reason)
    return Inventory(nodes, tuple((one.path, one.reason) for one in collection.unseen))


def _budgets(node: Node, found: Profile) -> NodeBudgets:
    facts = tuple(dict.fromkeys(_facts(found.record)))
    return NodeBudgets(node.node_id, node.path, node.line, facts, found.reason)


def _facts(record: Record) -> Iterator[Fact]:
    for clock in record.clocks:
        yield Fact("clock", None, "", clock, "", 1)
    for check in record.checks:
        yield from _of_check(check)
    for amount in record.amounts:
        unit = _UNITS.get(amount.setting, "")
        yield _fact(amount.setting.value, amount.value, unit, amount.place)
    for timeout in record.timeouts:
        yield _fact("timeout", timeout.value, "s", timeout.place)
    for fake in record.fakes:
        yield _fact("faked clock", None, "", fake.place)
    for run in record.runs:
        yield from _of_run(run)
    for count, event in warmups(record).values():
        yield _fact("warm-up runs", count, "", event.place)


def _fact(field: str, value: float | None, unit: str, place: Place) -> Fact:
    return Fact(field, value, unit, place.text, place.path, place.line)


def _of_check(check: Check) -> Iterator[Fact]:
    measured, limit = check.measured, bound(check)
    if measured is None or limit is None:
        return
    field = "threshold" if limit.is_upper else "lower threshold"
    value = limit.number if limit.is_plain else None
    yield _fact(field, value, measured.unit, check.place)
    for rank in percentiles(measured) or ():
        yield _fact("percentile", rank, "%", check.place)
    if measured.loops:
        yield _fact("samples", samples(measured), "", measured.loops[-1].place)
    often = iterations(measured)
    if often != 1:
        yield _fact("iterations", often, "", check.place)


def _of_run(run: Run) -> Iterator[Fact]:
    for event in run.work:
        for loop in timed(event, run.loops):
            field, unit = ("duration", "s") if loop.is_duration else ("workload", "runs")
            yield _fact(field, product((loop,)), unit, loop.place)
        for one in parts(event.call):
            if isinstance(one, Many) and one.number is not None:
                yield _fact("workload", one.number, "items", event.place)
            elif isinstance(one, Known) and one.number is not None:
                yield _fact("workload", one.number, "", event.place)
