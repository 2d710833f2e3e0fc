"""The analyzer's cases hold."""

from __future__ import annotations

from benchhygiene.testing import run_cases
from benchhygiene_plugins.oracles import Oracles


def test_every_rule_has_its_cases() -> None:
    run_cases(Oracles(), Oracles().cases)
