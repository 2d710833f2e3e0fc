"""A violating and an innocent example of every rule."""

from __future__ import annotations

from benchhygiene import Verdict
from benchhygiene.evidence import Change
from benchhygiene.evidence.campaign import Budget, Campaign
from benchhygiene.testing import Case, case
from benchhygiene_plugins.performance_budgets import findings as rules

_TEST = """\
import statistics
import time

import pytest

from store import Store

SAMPLES = 200


def test_get():
    store = Store(range(5000))
    times = []
    for n in range(SAMPLES):
        begin = time.perf_counter()
        store.get(n)
        times.append(time.perf_counter() - begin)
    assert max(times) < 0.25
"""
_PARENT = {"tests/test_store.py": _TEST}


def _change(*edits: tuple[str, str], ini: str = "", candidate_ini: str | None = None) -> Change:
    text = _TEST
    for old, new in edits:
        text = text.replace(old, new)
    files = {"pytest.ini": ini} if ini else {}
    after = {"pytest.ini": candidate_ini} if candidate_ini is not None else files
    return Change({**_PARENT, **files}, {"tests/test_store.py": text, **after})


def _campaign(**stated: float) -> Campaign:
    return Campaign({"get": Budget(**stated)})  # type: ignore[arg-type]


CASES: tuple[Case, ...] = (
    case(
        "fewer samples",
        _change(("SAMPLES = 200", "SAMPLES = 2")),
        reports=(rules.SAMPLES_LOWERED,),
        verdict=Verdict.VIOLATION,
    ),
    case(
        "every sample is given the same",
        _change(("store.get(n)", "store.get(0)")),
        reports=(rules.SAMPLES_LOWERED, rules.WORKLOAD_REDUCED),
    ),
    case(
        "more samples, in another spelling",
        _change(("SAMPLES = 200", "SAMPLES = 4 * 100")),
        innocent_of=(rules.SAMPLES_LOWERED,),
        verdict=Verdict.PASS,
    ),
    case(
        "the median for the largest",
        _change(("max(times)", "statistics.median(times)")),
        reports=(rules.PERCENTILE_RELAXED,),
    ),
    case(
        "the last of the sorted for the largest",
        _change(("max(times)", "sorted(times)[-1]")),
        innocent_of=(rules.PERCENTILE_RELAXED,),
        verdict=Verdict.PASS,
    ),
    case(
        "a limit that is multiplied",
        _change(("< 0.25", "< 0.25 * 10")),
        reports=(rules.THRESHOLD_RELAXED,),
    ),
    case(
        "the same limit in another unit",
        _change(("max(times) < 0.25", "max(times) * 1000 < 250")),
        innocent_of=(rules.THRESHOLD_RELAXED,),
        verdict=Verdict.PASS,
    ),
    case(
        "a longer timeout for every test",
        _change(ini="[pytest]\ntimeout = 10\n", candidate_ini="[pytest]\ntimeout = 900\n"),
        reports=(rules.THRESHOLD_RELAXED,),
    ),
    case(
        "a shorter timeout for every test",
        _change(ini="[pytest]\ntimeout = 10\n", candidate_ini="[pytest]\ntimeout = 5\n"),
        innocent_of=(rules.THRESHOLD_RELAXED,),
    ),
    case(
        "a clock that stands still",
        _change(
            (
                "def test_get():\n",
                "def test_get(monkeypatch):\n"
                '    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)\n',
            )
        ),
        reports=(rules.CLOCK_FAKED,),
    ),
    case(
        "another real clock",
        _change(("time.perf_counter", "time.monotonic")),
        innocent_of=(rules.CLOCK_FAKED,),
        verdict=Verdict.PASS,
    ),
    case(
        "a smaller store",
        _change(("range(5000)", "range(50)")),
        reports=(rules.WORKLOAD_REDUCED,),
    ),
    case(
        "a size that moves to a local",
        _change(("store = Store(range(5000))", "size = 5 * 1000\n    store = Store(range(size))")),
        innocent_of=(rules.WORKLOAD_REDUCED,),
        verdict=Verdict.PASS,
    ),
    case(
        "a limit that nobody can tell",
        _change(("< 0.25", "< Store.limit()")),
        reports=(rules.UNSEEN,),
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "a limit that is known",
        _change(("< 0.25", "< 0.2")),
        innocent_of=(rules.UNSEEN,),
    ),
    case(
        "fewer samples than the campaign states",
        _change(),
        _campaign(samples=500),
        reports=(rules.SAMPLES_LOWERED,),
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a larger limit than the campaign states",
        _change(),
        _campaign(threshold_ms=100.0),
        reports=(rules.THRESHOLD_RELAXED,),
    ),
    case(
        "what the campaign states",
        _change(),
        _campaign(samples=200, threshold_ms=250.0, percentile=99.0),
        innocent_of=(rules.SAMPLES_LOWERED, rules.THRESHOLD_RELAXED, rules.PERCENTILE_RELAXED),
        verdict=Verdict.PASS,
    ),
)
