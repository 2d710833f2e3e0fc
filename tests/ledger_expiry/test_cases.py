"""The analyzer's cases hold."""

from __future__ import annotations

from benchhygiene.testing import run_cases
from benchhygiene_plugins.ledger_expiry import LedgerExpiry


def test_every_rule_has_its_cases() -> None:
    run_cases(LedgerExpiry(), LedgerExpiry().cases)
