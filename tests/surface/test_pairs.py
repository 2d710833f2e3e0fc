"""The bundled analyzers find every violating pair, and leave every innocent one alone."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.surface import judging
from tests.surface.corpus import Pair, pairs

PAIRS = pairs()
#: Kinds that are judged elsewhere; a pair may name one as another right answer.
ELSEWHERE = {"doctest.weakened", "doctest.removed"}
LEAST_VIOLATING, LEAST_INNOCENT = 8, 4


def test_every_kind_has_its_pairs() -> None:
    violating = Counter(pair.kind for pair in PAIRS if pair.is_violating)
    innocent = Counter(pair.kind for pair in PAIRS if not pair.is_violating)
    kinds = {*violating, *innocent} - ELSEWHERE
    assert {kind for kind in kinds if violating[kind] < LEAST_VIOLATING} == set()
    assert {kind for kind in kinds if innocent[kind] < LEAST_INNOCENT} == set()


def test_every_kind_is_declared_by_an_analyzer() -> None:
    kinds = {pair.kind for pair in PAIRS} - ELSEWHERE
    assert kinds - judging.declared_rules() == set()


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.id)
def test_pair(pair: Pair) -> None:
    report = judging.judged(pair)
    report.raise_for_crashes()
    found = judging.found(report.findings)
    assert list(judging.misses(pair, found)) == [], found
    assert judging.false_alarms(pair, found) == ()
