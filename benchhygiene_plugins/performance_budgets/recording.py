"""What is written down while a test is followed."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Generator

import attrs

from benchhygiene_plugins.performance_budgets.terms import (
    Event,
    Loop,
    Made,
    Measure,
    Place,
    Term,
)

_STEPS = 40_000
_EVENTS = 2_000


class Exhausted(Exception):
    """Say that more is in a test than is followed."""


@attrs.frozen
class Check:
    """One comparison that a test demands: ``measured`` must be below ``limit``, or above it.

    ``loops`` are those it stands in. ``measured`` is None where nothing measured is compared.
    ``is_optional`` says that the test passes, too, where something else holds.
    """

    measured: Measure | None
    limit: Term | None
    is_upper: bool
    loops: tuple[Loop, ...]
    place: Place
    is_optional: bool = False


class Setting(enum.Enum):
    """What a number that a test is run with says."""

    ROUNDS = "rounds"
    ITERATIONS = "iterations"
    WARMUP = "warm-up rounds"
    NUMBER = "number of executions"
    REPEAT = "repeats"
    DURATION = "seconds of measuring"
    LEAST_ROUNDS = "least rounds"
    LEAST_TIME = "least seconds of a round"
    WARMED = "warm-up"


@attrs.frozen
class Amount:
    """A number that a benchmark is run with, None where it is not known."""

    setting: Setting
    value: float | None
    place: Place


@attrs.frozen
class Timeout:
    """After how many seconds, or how many of what, something gives up; None is not known."""

    word: str
    value: float | None
    place: Place


@attrs.frozen
class Fake:
    """Something that takes the place of a clock, or of sleeping."""

    target: str
    place: Place


@attrs.frozen
class Run:
    """What one measurement runs: the calls, with all they are given."""

    source: str
    work: tuple[Event, ...]
    loops: tuple[Loop, ...]
    place: Place


@attrs.define(eq=False)
class Record:
    """Everything that was met, in the order in which it would happen."""

    events: list[Event] = attrs.field(factory=list[Event])
    checks: list[Check] = attrs.field(factory=list[Check])
    amounts: list[Amount] = attrs.field(factory=list[Amount])
    timeouts: list[Timeout] = attrs.field(factory=list[Timeout])
    fakes: list[Fake] = attrs.field(factory=list[Fake])
    runs: list[Run] = attrs.field(factory=list[Run])
    clocks: dict[str, None] = attrs.field(factory=dict[str, None])
    loops: tuple[Loop, ...] = ()
    steps: int = 0
    first_reading: int | None = None
    least_rounds: float | None = 5.0  # pytest-benchmark's own

    def step(self) -> None:
        """Count one evaluation; raise Exhausted where there were too many."""
        self.steps += 1
        if self.steps > _STEPS or len(self.events) > _EVENTS:
            raise Exhausted

    def happen(self, call: Made, place: Place) -> None:
        """Note a call of the code under test."""
        self.events.append(Event(call, self.loops, place))

    def measured(self, one: Measure, place: Place) -> None:
        """Note what a measurement runs."""
        self.runs.append(Run(one.source, one.work, one.loops, place))

    @contextlib.contextmanager
    def looping(self, loop: Loop) -> Generator[None, None, None]:
        """Stand in one more loop."""
        before = self.loops
        self.loops = (*before, loop)
        try:
            yield
        finally:
            self.loops = before
