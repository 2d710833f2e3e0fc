"""The analyzer's cases hold, and so do its pairs."""

from __future__ import annotations

import pytest

from benchhygiene.testing import run_cases
from benchhygiene_plugins.harness import Harness
from tests.surface import judging
from tests.surface.corpus import Pair, pairs

_OWN = [pair for pair in pairs() if pair.family.startswith("harness_")]


def test_every_rule_has_its_cases() -> None:
    run_cases(Harness(), Harness().cases)


@pytest.mark.parametrize("pair", _OWN, ids=[pair.id for pair in _OWN])
def test_pair(pair: Pair) -> None:
    found = judging.found(judging.judged(pair).findings)
    own = tuple(one for one in found if one.rule.startswith("harness."))
    assert not [*judging.misses(pair, own)]
    assert not judging.false_alarms(pair, own)
