"""What a trusted campaign owes counts whatever the parent says."""

from __future__ import annotations

import pytest

from benchhygiene import Budget, Campaign, Verdict
from tests.property_budgets.edits import BASE, PATH, report, said

NODE = f"{PATH}::test_a"


def _said(budget: Budget, key: str = "a", tree: str = BASE) -> set[tuple[str, str, str | None]]:
    return said(report(tree, tree, Campaign({key: budget})))


def test_too_few_examples() -> None:
    assert _said(Budget(max_examples=500)) == {("max_examples_lowered", PATH, NODE)}


def test_too_long_a_deadline() -> None:
    assert _said(Budget(deadline_ms=200.0)) == {("deadline_relaxed", PATH, NODE)}


@pytest.mark.parametrize("budget", [Budget(max_examples=200), Budget(deadline_ms=400)])
def test_enough(budget: Budget) -> None:
    assert _said(budget) == set()


def test_by_node_id() -> None:
    budget = Budget(node_id=NODE, max_examples=500)
    assert _said(budget, "round trip") == {("max_examples_lowered", PATH, NODE)}


def test_no_test_of_the_name() -> None:
    found = report(BASE, BASE, Campaign({"b": Budget(max_examples=5)}))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert said(found) == {("unseen", "properties/campaign.toml", None)}


def test_two_tests_of_the_name() -> None:
    tree: dict[str, bytes | str] = {PATH: BASE, "tests/test_y.py": BASE}
    found = report(tree, tree, Campaign({"a": Budget(max_examples=5)}))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "2 tests" in found.findings[0].message


def test_a_test_that_is_no_property() -> None:
    source = "def test_a():\n    assert 1\n"
    found = report(source, source, Campaign({"a": Budget(max_examples=5)}))
    assert found.verdict is Verdict.INCONCLUSIVE


def test_tables_of_times_are_for_another_analyzer() -> None:
    assert _said(Budget(samples=5), "nothing of this name") == set()
