"""Property tests run as the pack says, and what they really executed is counted."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from types import TracebackType
from typing import Protocol, cast

import pytest

from benchhygiene.sources.inside.places import raised_in

Budgets = Mapping[str, Mapping[str, float]]


class Settings(Protocol):
    """The part of ``hypothesis.settings`` that is used; it need not be installed."""

    phases: object
    default: object

    def __call__(self, parent: object, **changes: object) -> object:
        """Return settings with these changes."""
        ...

    def get_profile(self, name: str) -> Settings:
        """Return the settings of a profile."""
        ...


class Inner(Protocol):
    """A test function with arguments of its own."""

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Run one example."""
        ...


class Handle(Protocol):
    """What Hypothesis keeps of a property test."""

    inner_test: Inner


class Collector(Protocol):
    """Who is told Hypothesis's statistics."""

    value: Callable[[Mapping[str, object]], None] | None

    def with_value(self, value: object) -> contextlib.AbstractContextManager[None]:
        """Return what tells somebody else for a while."""
        ...


class Count:
    """How many examples one node executed, and whether there were no more."""

    def __init__(self) -> None:
        self.examples = 0
        self.is_exhausted = False
        self.rejecting: set[str] = set()

    def __enter__(self) -> None:
        """Begin one example."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Count one that came to a good end, and keep who rejected one: that is for tests to do."""
        if kind is None:
            self.examples += 1
        elif kind.__name__ == "UnsatisfiedAssumption":
            self.rejecting.add(raised_in(traceback))

    def note(self, statistics: Mapping[str, object]) -> None:
        """Learn from Hypothesis's own statistics why it stopped."""
        if "nothing left to do" in str(statistics.get("stopped-because")):
            self.is_exhausted = True


def prepare(item: pytest.Item, budgets: Budgets, seed: int) -> Count | None:
    """Make a property test run with the pack's budget and seed; None for any other test.

    Every property test gets the seed and no database of earlier failures: what a run finds depends
    on nothing that the pack does not say.
    """
    bound = getattr(item, "obj", None)
    function: object = getattr(bound, "__func__", bound)
    handle = cast("Handle | None", getattr(function, "hypothesis", None))
    module = sys.modules.get("hypothesis")
    if handle is None or module is None:
        return None
    settings = cast("Settings", module.settings)
    budget = budgets.get(_without_parameters(item.nodeid), {})
    current = getattr(function, "_hypothesis_internal_use_settings", None) or settings.default
    asked = settings(current, **dict(_changes(budget, settings)))
    for name, value in (("settings", asked), ("seed", seed)):
        setattr(function, f"_hypothesis_internal_use_{name}", value)
    count = Count()
    inner = handle.inner_test
    handle.inner_test = _counted(cast("Inner", getattr(inner, "__counted__", inner)), count)
    return count


def _changes(budget: Mapping[str, float], settings: Settings) -> Iterator[tuple[str, object]]:
    yield "database", None
    yield "derandomize", False
    if "max_examples" in budget:
        yield "max_examples", int(budget["max_examples"])
        yield "phases", settings.get_profile("default").phases
    if "deadline_ms" in budget:
        yield "deadline", budget["deadline_ms"]


@contextlib.contextmanager
def collecting(count: Count) -> Generator[None, None, None]:
    """Listen to Hypothesis's statistics while a test runs."""
    statistics = sys.modules.get("hypothesis.statistics")
    collector = cast("Collector | None", getattr(statistics, "collector", None))
    if collector is None:
        yield
        return
    earlier = collector.value

    def both(found: Mapping[str, object]) -> None:
        count.note(found)
        if earlier is not None:
            earlier(found)

    with collector.with_value(both):
        yield


def _counted(inner: Inner, count: Count) -> Inner:
    @functools.wraps(inner)
    def counted(*args: object, **kwargs: object) -> object:
        with count:
            return inner(*args, **kwargs)

    vars(counted)["__counted__"] = inner
    return counted


def _without_parameters(node_id: str) -> str:
    return node_id.partition("[")[0] if node_id.endswith("]") else node_id


def samples(item: pytest.Item) -> int | None:
    """Return the rounds that pytest-benchmark measured in a test, None where it did not."""
    fixture = getattr(item, "funcargs", {}).get("benchmark")
    stats = getattr(getattr(fixture, "stats", None), "stats", None)
    rounds = getattr(stats, "rounds", None)
    return rounds if isinstance(rounds, int) else None
