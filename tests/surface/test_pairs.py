"""The bundled analyzers find every violating pair, and leave every innocent one alone."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.surface import judging
from tests.surface.corpus import Pair, pairs

PAIRS = pairs()
#: Kinds that no bundled analyzer declares yet: their pairs wait for it.
UNDECLARED = {"collection.deselected", "doctest.removed", "doctest.weakened", "mock.subject"}
LEAST_VIOLATING, LEAST_INNOCENT = 8, 4


def test_every_kind_has_its_pairs() -> None:
    violating = Counter(pair.kind for pair in PAIRS if pair.is_violating)
    innocent = Counter(pair.kind for pair in PAIRS if not pair.is_violating)
    kinds = {*violating, *innocent} - UNDECLARED
    assert {kind for kind in kinds if violating[kind] < LEAST_VIOLATING} == set()
    assert {kind for kind in kinds if innocent[kind] < LEAST_INNOCENT} == set()


def test_every_kind_is_declared_by_an_analyzer() -> None:
    assert {pair.kind for pair in PAIRS} - judging.declared_rules() == UNDECLARED


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.id)
def test_pair(pair: Pair) -> None:
    if pair.kind in UNDECLARED:
        pytest.skip(f"no analyzer declares {pair.kind}")
    report = judging.judged(pair)
    report.raise_for_crashes()
    found = judging.found(report.findings)
    assert list(judging.misses(pair, found)) == [], found
    assert judging.false_alarms(pair, found) == ()
