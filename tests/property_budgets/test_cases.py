"""The analyzer's cases hold."""

from __future__ import annotations

from benchhygiene.testing import run_cases
from benchhygiene_plugins.property_budgets import PropertyBudgets


def test_every_rule_has_its_cases() -> None:
    run_cases(PropertyBudgets(), PropertyBudgets().cases)
