from __future__ import annotations

import attrs
import pytest

from benchhygiene import SourceTree, TreeEntry
from benchhygiene_plugins.ledger_expiry import Presence, presences
from tests.evidence.agreements import QUARANTINE, RENAME

SUITE = """\
import pytest

from elsewhere import ROWS

@pytest.mark.parametrize("value", ["a", "b::c[d]"])
def test_each(value):
    assert value

@pytest.mark.parametrize("value", ROWS)
def test_unknown(value):
    assert value

class TestMoney:
    def test_inner(self):
        assert 1

class Money:
    def test_inner(self):
        assert 1

def helper():
    assert 1
"""
TREE = SourceTree(
    {
        "tests/test_a.py": SUITE,
        "tests/cases.yaml": "- 1",
        "tests/test_broken.py": TreeEntry(error="larger than the limit"),
    }
)


def presence(node_id: str, tree: SourceTree = TREE) -> Presence:
    entry = attrs.evolve(QUARANTINE, node_id=node_id)
    ((found, answer),) = presences([entry], tree)
    assert found is entry
    return answer


@pytest.mark.parametrize(
    ("node", "answer"),
    [
        ("test_each", Presence.PRESENT),
        ("test_each[a]", Presence.PRESENT),
        ("test_each[b::c[d]]", Presence.PRESENT),
        ("test_each[b]", Presence.ABSENT),
        ("test_each[]", Presence.ABSENT),
        ("test_unknown", Presence.PRESENT),
        ("test_unknown[1]", Presence.UNKNOWN),
        ("TestMoney::test_inner", Presence.PRESENT),
        ("TestMoney::test_inner[1]", Presence.ABSENT),
        ("TestMoney", Presence.ABSENT),
        ("Money::test_inner", Presence.ABSENT),
        ("helper", Presence.ABSENT),
    ],
)
def test_a_node_is_present_where_pytest_would_collect_it(node: str, answer: Presence) -> None:
    assert presence(f"tests/test_a.py::{node}") is answer


@pytest.mark.parametrize(
    ("node_id", "answer"),
    [
        ("tests/test_b.py::test_each", Presence.ABSENT),
        ("tests/test_broken.py::test_each", Presence.UNKNOWN),
        ("tests/cases.yaml::1", Presence.UNKNOWN),
        ("tests::test_each", Presence.ABSENT),
        ("", Presence.ABSENT),
        ("::", Presence.ABSENT),
    ],
)
def test_a_file_decides_first(node_id: str, answer: Presence) -> None:
    assert presence(node_id) is answer


def test_in_a_tree_that_was_not_wholly_seen_a_missing_file_may_be_there() -> None:
    tree = attrs.evolve(TREE, unseen=("tests: more than 3 files",))
    assert presence("tests/test_b.py::test_each", tree) is Presence.UNKNOWN
    assert presence("tests/test_a.py::test_nowhere", tree) is Presence.ABSENT


@pytest.mark.parametrize(
    ("old", "new", "answer"),
    [
        ("test_each", "test_new", Presence.PRESENT),
        ("test_old", "test_each", Presence.PRESENT),
        ("test_old", "test_new", Presence.ABSENT),
    ],
)
def test_a_rename_is_present_under_either_name(old: str, new: str, answer: Presence) -> None:
    path = "tests/test_a.py::"
    entry = attrs.evolve(RENAME, node_id=path + old, renamed_to=path + new)
    assert [found for _, found in presences([entry], TREE)] == [answer]
