"""What holds for every suite: adding, renaming locals and reordering cost no test."""

from __future__ import annotations

import ast
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from benchhygiene import BaseFinding, Severity
from benchhygiene.evidence import Change
from benchhygiene_plugins.nodes import NodeEvidence, NodeHidden, NodeLost, Nodes
from tests.inventory.suites import HEAD, suite

NAMES = st.sampled_from(["a", "b", "c", "d", "e", "f", "g", "h"])
BODIES = st.sampled_from(
    [
        "value = {n}\nassert value == {n}",
        "for item in range({n}):\n    assert item < {n}",
        "with pytest.raises(ValueError):\n    int('x{n}')",
        "total = sum(range({n}))\nassert total >= 0\nassert isinstance(total, int)",
        "assert len('x' * {n}) == {n}",
    ]
)


def indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


@st.composite
def functions(draw: st.DrawFn) -> list[str]:
    """Return test functions with names and bodies of their own."""
    names = draw(st.lists(NAMES, min_size=1, max_size=8, unique=True))
    made: list[str] = []
    for place, name in enumerate(names):
        body = indented(draw(BODIES).replace("{n}", str(place + 1)))
        rows = draw(st.sampled_from(["", "", "@pytest.mark.parametrize('row', [1, 2, 3])\n"]))
        argument = "row" if rows else ""
        made.append(f"{rows}def test_{name}({argument}):\n{body}\n")
    return made


def found(before: dict[str, str], after: dict[str, str]) -> list[BaseFinding]:
    return list(Nodes().analyze(NodeEvidence(Change(before, after))))


def module(parts: list[str]) -> dict[str, str]:
    return {"tests/test_all.py": HEAD + "\n\n".join(parts)}


@settings(max_examples=100, deadline=None)
@given(functions(), functions())
def test_adding_tests_is_no_finding(old: list[str], more: list[str]) -> None:
    added = [part.replace("def test_", "def test_more_") for part in more]
    assert found(module(old), module([*old, *added])) == []
    assert found(module(old), module(old) | {"tests/test_more.py": HEAD + added[0]}) == []


@settings(max_examples=100, deadline=None)
@given(functions(), st.randoms(use_true_random=False))
def test_reordering_is_no_finding(old: list[str], order: random.Random) -> None:
    other = list(old)
    order.shuffle(other)
    assert found(module(old), module(other)) == []


@settings(max_examples=50, deadline=None)
@given(functions())
def test_renaming_locals_and_formatting_is_no_finding(old: list[str]) -> None:
    (path, text), *_ = module(old).items()
    renamed = text.replace("value", "got").replace("item", "one").replace("total", "amount")
    assert found({path: text}, {path: ast.unparse(ast.parse(renamed))}) == []


@settings(max_examples=100, deadline=None)
@given(functions(), st.data())
def test_a_deleted_test_is_found_and_nothing_else(old: list[str], data: st.DataObject) -> None:
    gone = data.draw(st.integers(0, len(old) - 1))
    left = [part for place, part in enumerate(old) if place != gone]
    (one,) = found(module(old), module(left))
    assert isinstance(one, NodeLost)
    assert one.node_id == f"tests/test_all.py::{_name(old[gone])}"
    assert one.rule.id == "node.deleted"


@settings(max_examples=100, deadline=None)
@given(functions(), st.data())
def test_a_renamed_test_is_found_with_its_new_id(old: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(old) - 1))
    other = list(old)
    other[place] = other[place].replace("def test_", "def test_other_")
    (one,) = found(module(old), module(other))
    assert isinstance(one, NodeLost)
    assert (one.rule.id, one.became) == (
        "node.renamed",
        f"tests/test_all.py::{_name(other[place])}",
    )


@settings(max_examples=100, deadline=None)
@given(functions(), st.data())
def test_a_test_that_no_longer_runs_is_found(old: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(old) - 1))
    name = _name(old[place])
    way = data.draw(
        st.sampled_from(
            [
                lambda part: part.replace("def test_", "def check_"),
                lambda part: f"@pytest.fixture\n{part}",
                lambda part: f"if False:\n{indented(part)}\n",
                lambda part: f"{part}\n\n{name} = None\n",
                lambda part: f"{part}\n\ndel {name}\n",
                lambda part: f"{part}\n\ndef {name}(): pass\n",
                lambda part: f"{part}\n\nglobals()['{name}'] = lambda: None\n",
                lambda part: f"{part}\n\n{name}.__test__ = False\n",
                lambda part: f"def outer():\n{indented(part)}\n",
                lambda part: f"class Outer:\n{indented(part)}\n",
            ]
        )
    )
    other = list(old)
    other[place] = way(other[place])
    one, *more = found(module(old), module(other))
    assert isinstance(one, NodeHidden)
    assert one.node_id == f"tests/test_all.py::{name}"
    assert more == []


def _name(part: str) -> str:
    return part.partition("def ")[2].partition("(")[0]


def test_a_tree_against_itself_is_no_finding() -> None:
    assert found(suite(), suite()) == []


def test_every_file_moved_is_a_rename_of_every_node() -> None:
    before = {
        "tests/test_a.py": "def test_a():\n    assert 1 < 2\n\n\ndef test_b():\n    assert 2 > 1\n"
    }
    after = {"tests/test_b.py": before["tests/test_a.py"]}
    rules = {one.rule.id for one in found(before, after)}
    assert rules == {"node.renamed"}


def test_only_more_parameters_are_a_note() -> None:
    before = {
        "test_a.py": "import pytest\n@pytest.mark.parametrize('a', [1])\ndef test_a(a): pass\n"
    }
    after = {"test_a.py": before["test_a.py"].replace("[1]", "[1, 2]")}
    (one,) = found(before, after)
    assert (one.rule.id, one.severity) == ("param.expanded", Severity.NOTE)
