"""The inventory lists every check of every node, wherever it stands, with what it runs under."""

from __future__ import annotations

from benchhygiene.evidence.tree import SourceTree
from benchhygiene_plugins.assertions import InventoriedCheck, Strength, inventory

HELPERS = """\
def expect_sorted(rows):
    for row in rows:
        assert row.is_valid
"""
CONFTEST = """\
import pytest


@pytest.fixture
def rows():
    found = load("rows.json")
    assert found
    yield found
    assert found.is_closed
"""
BASE = """\
import unittest


class Base(unittest.TestCase):
    limit = 3

    def setUp(self):
        self.stock = Stock(self.limit)
        self.assertTrue(self.stock.is_open)

    def check(self, got):
        self.assertEqual(got, 3)
"""
TESTS = """\
import pytest
import numpy as np
from unittest import mock
from helpers import expect_sorted
from base import Base

LIMIT = 5


def test_rows(rows):
    expect_sorted(rows)
    for row in rows:
        if row.kind:
            assert row.size < LIMIT


@pytest.mark.parametrize("text, value", [("1", 1), ("2", 2)])
def test_parse(text, value):
    assert parse(text) == value


def test_raises():
    with pytest.raises(ValueError, match="bad"):
        parse("x")


def test_many_kinds():
    send = mock.Mock()
    post(send)
    send.assert_called_once_with("a")
    np.testing.assert_allclose(mean([1]), 1, rtol=1e-3)
    assert mean([1]) == pytest.approx(1)
    assert isinstance(mean([1]), float)
    assert mean([1]) or True


class StockTests(Base):
    def test_size(self):
        with self.subTest("size"):
            self.check(self.stock.size())
        try:
            assert self.stock
        except AssertionError:
            pass
"""
TREE = SourceTree(
    {
        "tests/helpers.py": HELPERS,
        "tests/conftest.py": CONFTEST,
        "tests/base.py": BASE,
        "tests/test_it.py": TESTS,
    }
)


def checks(name: str) -> list[InventoriedCheck]:
    found = inventory(TREE)
    (node,) = [one for one in found.nodes if one.node_id == f"tests/test_it.py::{name}"]
    assert node.is_complete
    return list(node.checks)


def test_fixtures_helpers_and_loops_are_followed() -> None:
    found = checks("test_rows")
    assert [one.path for one in found] == [
        "tests/conftest.py",
        "tests/conftest.py",
        "tests/helpers.py",
        "tests/test_it.py",
    ]
    assert [one.text for one in found][2:] == ["assert row.is_valid", "assert row.size < LIMIT"]
    assert found[2].helpers == ("expect_sorted",)
    assert found[2].loops == found[3].loops != ()
    assert len(found[3].conditions) == 1
    assert "5" in found[3].fact


def test_every_parameter_set_is_a_fact_of_its_own() -> None:
    first, second = checks("test_parse")
    assert first.digest != second.digest
    assert first.strength is second.strength is Strength.EXACT


def test_a_demand_to_raise_is_a_check() -> None:
    (only,) = checks("test_raises")
    assert only.fact.startswith("raises(ValueError, 'bad', ")


def test_strength_is_by_what_is_said() -> None:
    assert [one.strength for one in checks("test_many_kinds")] == [
        Strength.EXACT,
        Strength.APPROXIMATE,
        Strength.APPROXIMATE,
        Strength.TYPE,
        Strength.NOTHING,
    ]


def test_base_classes_are_followed_and_swallowed_checks_say_so() -> None:
    opened, size, kept = checks("StockTests::test_size")
    assert opened.path == size.path == "tests/base.py"
    assert size.helpers == ("check",)
    assert opened.swallowed is None
    assert kept.swallowed == "except AssertionError"


def test_a_fingerprint_reads_locals_and_constants_through() -> None:
    texts = [
        "LIMIT = 3\n\n\ndef test_it():\n    size = area(2)\n    assert size == LIMIT\n",
        "def test_it():\n    assert 3 == area( 2 ), 'area'\n",
        "import unittest\n\n\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n"
        "        self.assertEqual(area(2), 3)\n",
    ]
    trees = (SourceTree({"test_it.py": text}) for text in texts)
    made = {check.fingerprints() for tree in trees for check in inventory(tree).checks}
    assert len(made) == 1
    ((only,),) = made
    assert only.is_exact


def test_a_file_that_cannot_be_read_is_said_to_be_unseen() -> None:
    found = inventory(
        SourceTree({"test_a.py": "def test_a(:\n", "test_b.py": "def test_b(): ...\n"})
    )
    assert [path for path, _ in found.unseen] == ["test_a.py"]
    assert [node.node_id for node in found.nodes] == ["test_b.py::test_b"]


def test_the_same_tree_gives_the_same_inventory() -> None:
    assert inventory(TREE) == inventory(SourceTree(TREE.entries))
