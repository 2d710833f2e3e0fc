"""Every rule has a violating and an innocent case, and the analyzer holds them."""

from __future__ import annotations

import pytest

from benchhygiene.testing import Case, run_case, run_cases
from benchhygiene_plugins.assertions import Assertions

CASES = Assertions().cases


def test_every_rule_has_its_cases() -> None:
    run_cases(Assertions(), CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_case_holds(case: Case) -> None:
    run_case(Assertions(), case)
