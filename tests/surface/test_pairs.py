"""The bundled analyzers find every violating pair, and leave every innocent one alone."""

from __future__ import annotations

from collections import Counter

import pytest
from _pytest.mark import ParameterSet

from tests.surface import judging
from tests.surface.corpus import Pair, pairs

PAIRS = pairs()
#: Honest edits that are still taken for a weaker check.
FALSE_ALARMS = {
    "honest_measuring/more_users",
}
LEAST_VIOLATING, LEAST_INNOCENT = 8, 4


def test_every_kind_has_its_pairs() -> None:
    violating = Counter(pair.kind for pair in PAIRS if pair.is_violating)
    innocent = Counter(pair.kind for pair in PAIRS if not pair.is_violating)
    kinds = {*violating, *innocent}
    assert {kind for kind in kinds if violating[kind] < LEAST_VIOLATING} == set()
    assert {kind for kind in kinds if innocent[kind] < LEAST_INNOCENT} == set()


def test_every_kind_is_declared_by_an_analyzer() -> None:
    assert {pair.kind for pair in PAIRS} - judging.declared_rules() == set()


def _marked(pair: Pair) -> ParameterSet:
    is_known = pair.id in FALSE_ALARMS
    marks = [pytest.mark.xfail(reason="a known false alarm", strict=True)] if is_known else []
    return pytest.param(pair, id=pair.id, marks=marks)


@pytest.mark.parametrize("pair", [_marked(pair) for pair in PAIRS])
def test_pair(pair: Pair) -> None:
    report = judging.judged(pair)
    report.raise_for_crashes()
    found = judging.found(report.findings)
    assert list(judging.misses(pair, found)) == [], found
    assert judging.false_alarms(pair, found) == ()
