"""Every prediction against the real pytest 7.4.4, 8.4.2 and 9.2.0."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.truth.catalogue import CHAPTERS
from tests.truth.comparison import Arena, Comparison
from tests.truth.generator import workspaces

pytestmark = pytest.mark.full

SEEDS = (1, 2, 3)
COUNT = 120
#: Answers that must be right, of those given; and the share of real failures that must be answered.
PRECISION, RECALL, ANSWERED = 0.98, 0.98, 0.75


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_written_workspaces(arena: Arena, chapter: str) -> None:
    compared = [arena.compare(space) for space in CHAPTERS[chapter]()]
    assert _disagreements(compared) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_random_workspaces(arena: Arena, seed: int) -> None:
    compared = [arena.compare(space) for space in workspaces(seed, COUNT)]
    precision, recall, answered = _scores(compared)
    print(f"pytest {arena.judge.version}, seed {seed}: precision {precision:.3f}, ", end="")
    print(f"recall {recall:.3f}, {answered:.0%} of the failures answered")
    assert _disagreements(compared) == []
    assert precision >= PRECISION
    assert recall >= RECALL
    assert answered >= ANSWERED


def _disagreements(compared: Sequence[Comparison]) -> list[str]:
    return [str(found) for each in compared for found in each.disagreements]


def _scores(compared: Sequence[Comparison]) -> tuple[float, float, float]:
    """Return precision and recall of the answers given, and how many failures got an answer."""
    failures = [each for each in compared if each.failed]
    answered = [each for each in compared if each.answer is not None]
    claimed = [each for each in answered if each.answer]
    right = sum(each.failed for each in claimed)
    real = sum(each.failed for each in answered)
    known = sum(each.answer is not None for each in failures)
    return right / len(claimed), right / real, known / len(failures)
