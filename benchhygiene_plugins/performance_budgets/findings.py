"""The rules of ``performance-budgets`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Rule, Severity
from benchhygiene_plugins.performance_budgets.losses import Loss

SAMPLES_LOWERED = Rule(
    "perf.samples_lowered",
    "A performance test measures less often",
    Severity.ERROR,
    edit="takes fewer samples, rounds or warm-up runs",
    seen=("loops round what is timed, options of pytest-benchmark and timeit, the campaign"),
    unseen="loops whose length is computed",
)
PERCENTILE_RELAXED = Rule(
    "perf.percentile_relaxed",
    "A performance test compares a statistic that is easier to hold",
    Severity.ERROR,
    edit="compares the median in place of p99",
    seen="the statistic behind sorting, slicing and library calls",
    unseen="statistics of libraries that are not known",
)
THRESHOLD_RELAXED = Rule(
    "perf.threshold_relaxed",
    "A performance test allows more than it did",
    Severity.ERROR,
    edit="raises the limit, scales it, adds slack, drops a timeout",
    seen="limits in the unit of what is measured",
    unseen="limits that are computed from the machine",
)
CLOCK_FAKED = Rule(
    "perf.clock_faked",
    "A performance test no longer reads the real clock",
    Severity.ERROR,
    edit="patches or freezes the clock, hands in a timer",
    seen="patches, fixtures, `freeze_time`, timer arguments",
    unseen="a clock that is replaced outside the tree",
)
WORKLOAD_REDUCED = Rule(
    "perf.workload_reduced",
    "A performance test measures less work",
    Severity.ERROR,
    edit="shrinks the input, the range or the duration",
    seen="sizes that reach what is timed",
    unseen="sizes that are computed",
)
UNSEEN = Rule(
    "perf.unseen", "What a performance test measures could not all be seen", Severity.WARNING
)

BY_LOSS = {
    Loss.SAMPLES: SAMPLES_LOWERED,
    Loss.PERCENTILE: PERCENTILE_RELAXED,
    Loss.THRESHOLD: THRESHOLD_RELAXED,
    Loss.CLOCK: CLOCK_FAKED,
    Loss.WORKLOAD: WORKLOAD_REDUCED,
}
RULES = (*BY_LOSS.values(), UNSEEN)


@attrs.frozen(kw_only=True)
class BudgetLowered(BaseFinding):
    """A patch left a performance test demanding less than the parent's.

    ``old_value`` and ``new_value`` are in ``unit``, None where there is no number.
    """

    reason: str
    old_value: float | None = None
    new_value: float | None = None
    unit: str = ""


@attrs.frozen(kw_only=True)
class CampaignBroken(BaseFinding):
    """A candidate's test falls short of what the pack's campaign states for it.

    ``key`` is the campaign's table, ``field`` what it states there, ``value`` what the test has.
    """

    key: str
    field: str
    stated: float
    value: float | None = None


@attrs.frozen(kw_only=True)
class BudgetUnseen(BaseFinding):
    """What a test, or a file, measures is not known; ``reason`` says why."""

    reason: str
