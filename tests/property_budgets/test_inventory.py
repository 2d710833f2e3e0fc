"""The facts that the analyzer compares."""

from __future__ import annotations

from benchhygiene.evidence import SourceTree
from benchhygiene_plugins.property_budgets import inventory
from tests.property_budgets.edits import BASE, HEAD, PATH


def test_a_property_has_its_budget_with_units() -> None:
    (one,) = inventory(SourceTree({PATH: BASE}))
    values = {name: setting.values for name, setting in one.settings.items()}
    assert values["max_examples"] == (200,)
    assert values["deadline"] == (400.0,)
    assert values["derandomize"] == (False,)
    assert values["stateful_step_count"] == (50,)
    assert [each.text for each in one.examples] == ["example(7)"]


def test_a_strategy_has_its_bounds() -> None:
    (one,) = inventory(SourceTree({PATH: BASE}))
    (strategy,) = one.strategies["n"]
    assert strategy.kind == "integers"
    assert strategy.quantities == {"min_value": 1, "max_value": 600}


def test_parts_letters_and_choices_are_read() -> None:
    source = (
        f"{HEAD}@given(st.lists(st.text('ab'), max_size=3), st.sampled_from([1, 2]))\n"
        "def test_b(xs, y):\n    assume(xs)\n    assert y\n"
    )
    (one,) = inventory(SourceTree({PATH: source}))
    (lists,), (sampled,) = one.strategies["xs"], one.strategies["y"]
    assert lists.quantities == {"max_size": 3}
    assert lists.parts["elements"][0].quantities == {"alphabet": "ab"}
    assert sampled.choices == (1, 2)
    assert [each.text for each in one.assumptions] == ["assume(xs)"]


def test_a_machine_is_a_property() -> None:
    source = (
        f"{HEAD}from hypothesis.stateful import RuleBasedStateMachine, rule\n\n"
        "class M(RuleBasedStateMachine):\n    @rule(n=st.integers(0, 3))\n"
        "    def put(self, n):\n        assert n\n\nTestM = M.TestCase\n"
    )
    (one,) = inventory(SourceTree({PATH: source}))
    assert one.node_id == f"{PATH}::TestM::runTest"
    assert one.settings["deadline"].values == (None,)
    assert set(one.strategies) == {"put", "put.n"}
