from __future__ import annotations

import pytest

from benchhygiene import Budget, Campaign, InputError

NODES = (
    "tests/test_http.py::test_http_handler",
    "tests/test_money.py::TestMoney::test_parse_money[1]",
    "tests/test_money.py::TestMoney::test_parse_money[2]",
    "tests/test_money.py::parse",
    "tests/test_money.py::test_parse",
    "tests/test_b.py::test_twice",
    "tests/test_a.py::test_twice",
)


def bound(key: str, **budget: str) -> tuple[str, ...]:
    (binding,) = Campaign({key: Budget(**budget)}).bind(NODES)  # type: ignore[arg-type]
    assert binding.node_id == (binding.node_ids[0] if len(binding.node_ids) == 1 else None)
    return binding.node_ids


def test_a_key_means_the_node_of_that_name_or_with_test_before_it() -> None:
    assert bound("http_handler") == ("tests/test_http.py::test_http_handler",)
    assert bound("test_http_handler") == ("tests/test_http.py::test_http_handler",)
    assert bound("parse_money") == ("tests/test_money.py::TestMoney::test_parse_money",)


@pytest.mark.parametrize("key", ["handler", "http", "HTTP_handler", "TestMoney", "[1]", ""])
def test_a_key_that_names_no_node_binds_none(key: str) -> None:
    assert bound(key) == ()


def test_a_key_that_names_several_nodes_is_in_doubt() -> None:
    assert bound("twice") == ("tests/test_a.py::test_twice", "tests/test_b.py::test_twice")
    assert bound("parse") == ("tests/test_money.py::parse", "tests/test_money.py::test_parse")


def test_a_node_id_decides_whatever_the_key_is() -> None:
    assert bound("twice", node_id="tests/test_b.py::test_twice") == ("tests/test_b.py::test_twice",)
    node = "tests/test_money.py::TestMoney::test_parse_money"
    assert bound("x", node_id=f"{node}[1]") == (node,)
    assert bound("http_handler", node_id="tests/test_b.py::test_http_handler") == ()


def test_budgets_come_sorted_by_key() -> None:
    campaign = Campaign({"b": Budget(), "a": Budget(max_examples=3)})
    assert [binding.key for binding in campaign.bind(())] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_examples", 0),
        ("samples", -1),
        ("rounds", 0),
        ("deadline_ms", 0.0),
        ("threshold_ms", -0.5),
        ("percentile", 0),
        ("percentile", 100.5),
        ("deadline_ms", float("nan")),
    ],
)
def test_an_amount_out_of_its_range_is_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match=f"^{name} .*: expected "):
        Budget(**{name: value})  # type: ignore[arg-type]


def test_amounts_are_the_numbers_that_are_stated() -> None:
    assert Budget(max_examples=200, percentile=99.9, seed_source="pack").amounts == {
        "max_examples": 200,
        "percentile": 99.9,
    }
