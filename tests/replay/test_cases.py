"""The analyzer's cases hold."""

from __future__ import annotations

from benchhygiene.testing import run_cases
from benchhygiene_plugins.replay import ReplayRun


def test_every_rule_has_its_cases() -> None:
    run_cases(ReplayRun(), ReplayRun().cases)
