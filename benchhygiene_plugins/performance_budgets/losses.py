"""What a test of a candidate measures less of, or allows more of, than the parent's."""

from __future__ import annotations

import enum

import attrs

from benchhygiene_plugins.performance_budgets.terms import Place


class Loss(enum.Enum):
    """The kinds of losses."""

    SAMPLES = "samples"
    PERCENTILE = "percentile"
    THRESHOLD = "threshold"
    CLOCK = "clock"
    WORKLOAD = "workload"


@attrs.frozen
class Lost:
    """One loss: what was there, what is there now, and the two values with their unit.

    ``is_doubt`` says that nobody can tell whether it is one.
    """

    loss: Loss
    reason: str
    old: Place | None = None
    new: Place | None = None
    old_value: float | None = None
    new_value: float | None = None
    unit: str = ""
    is_doubt: bool = False
