"""The suites do what everything else here relies on."""

from __future__ import annotations

import pytest

from tests.truth.comparison import Arena
from tests.truth.layouts import workspace
from tests.truth.suites import OUTCOME, SUITES, turned


@pytest.mark.full
@pytest.mark.parametrize("name", SUITES)
def test_a_suite_passes_on_its_own_and_fails_when_turned(arena: Arena, name: str) -> None:
    space = workspace(name, suite=name)
    argv = ("python", "-m", "pytest", *space.words(arena.root))
    statuses = [
        arena.run(space, argv, space.variables(arena.root), passing=passing).status
        for passing in (True, False)
    ]
    assert statuses == [0, 1]


@pytest.mark.parametrize("name", SUITES)
def test_turning_a_suite_changes_nothing_but_the_outcome(name: str) -> None:
    for _, text in SUITES[name].files:
        passing, failing = turned(text, passing=True), turned(text, passing=False)
        assert OUTCOME not in passing + failing
        assert len(passing.splitlines()) == len(failing.splitlines())
    assert any(OUTCOME in text for _, text in SUITES[name].files)
