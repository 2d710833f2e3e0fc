"""Automatic edits of real suites: no refactoring is an error, every weakening is one."""

from __future__ import annotations

import functools

import pytest

from tests.surface.edits import suites
from tests.surface.edits.rates import FORMATS, PER_KIND, Outcome, Spot, sampled, spots
from tests.surface.edits.refactorings import REFACTORINGS
from tests.surface.edits.text import Kinds
from tests.surface.edits.weakenings import WEAKENINGS

pytestmark = pytest.mark.full
ENOUGH = 300


@functools.cache
def _places() -> tuple[Spot, ...]:
    return tuple(spots(suites.trees()))


def _outcomes(kinds: Kinds) -> list[Outcome]:
    if not _places():
        pytest.skip("no suite could be downloaded")
    return list(sampled(kinds, _places(), suites.trees(), PER_KIND))


def test_no_refactoring_is_more_than_a_note() -> None:
    outcomes = _outcomes({**REFACTORINGS, **FORMATS})
    assert len(outcomes) >= ENOUGH
    wrong = [(one.edit.kind, one.path, one.edit.where, one.rules) for one in outcomes if one.rules]
    print(f"refactorings: {len(outcomes)}, {len(wrong)} of them reported")
    assert wrong == []


def test_every_weakening_is_found() -> None:
    outcomes = _outcomes(WEAKENINGS)
    assert len(outcomes) >= ENOUGH
    missed = [(one.edit.kind, one.path, one.edit.where) for one in outcomes if not one.is_found]
    print(f"weakenings: {len(outcomes)}, {len(missed)} of them missed")
    assert missed == []
