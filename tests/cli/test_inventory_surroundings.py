"""What the command ``inventory`` says of what stands round the tests, on whole projects."""

from __future__ import annotations

import pathlib

import pytest

from benchhygiene import SourceTree
from benchhygiene.cli import inventories
from benchhygiene.cli.surroundings import Entry, surroundings
from tests.surface.corpus import projects

KEYS = (
    "properties", "performance", "oracles", "configuration", "harness", "pipelines", "examples"
)  # fmt: skip
PROPERTY = "tests/test_codec.py::CodecTests::test_not_longer"
FACTS = {
    "codec": ("properties", PROPERTY, "max_examples", 160, ""),
    "speeds": ("performance", "tests/test_speeds.py::test_p99", "threshold", 0.5, "s"),
    "strict": ("configuration", "coverage", "report.fail_under", "92.5", ""),
}  # fmt: skip


def _tree(name: str) -> SourceTree:
    return SourceTree({path: text.encode() for path, text in projects()[name].files.items()})


def _entries(name: str, key: str) -> tuple[Entry, ...]:
    return next(one.entries for one in surroundings(_tree(name)) if one.key == key)


def test_every_section_is_there_in_a_fixed_order() -> None:
    assert tuple(one.key for one in surroundings(SourceTree({}))) == KEYS


@pytest.mark.parametrize("name", FACTS)
def test_numbers_have_their_node_and_unit(name: str) -> None:
    key, owner, field, value, unit = FACTS[name]
    found = [(one.owner, one.name, one.value, one.unit) for one in _entries(name, key)]
    assert (owner, field, value, unit) in found


def test_every_kind_is_seen_in_some_project() -> None:
    trees = [
        *(surroundings(_tree(name)) for name in projects()),
        surroundings(SourceTree({"tests/conftest.py": b"import os\n\n\nos._exit(0)\n"})),
    ]
    assert {one.key for sections in trees for one in sections if one.entries} == {*KEYS}


def test_every_entry_has_a_place() -> None:
    entries = [one for section in surroundings(_tree("speeds")) for one in section.entries]
    assert [one for one in entries if not one.path] == []


def test_text_leaves_out_what_nobody_wrote(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_x.py").write_text(
        "from hypothesis import given, settings, strategies as st\n\n\n"
        "@settings(max_examples=7, deadline=None)\n"
        "@given(st.integers(0, 9))\ndef test_x(n):\n    assert n < 10\n"
    )
    assert inventories.run(str(tmp_path), None, "text") == 0
    out = capsys.readouterr().out
    assert "    max_examples 7  test_x.py:4\n    strategy n " in out
    assert "    deadline none  test_x.py:4\n" in out
    assert "derandomize" not in out
