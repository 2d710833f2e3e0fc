"""The pairs are read as they are written, and a slip in one is no silent change of meaning."""

from __future__ import annotations

import pytest

from tests.surface import corpus
from tests.surface.corpus import Malformed, Section, pairs


def edit(*hunks: tuple[str, tuple[str, ...]]) -> Section:
    return Section("edit", (), hunks)


def test_a_hunk_replaces_whole_lines() -> None:
    tree = {"a.py": "x = 1\nxx = 1\ny = 2\n"}
    section = edit(("a.py", ("-x = 1", "+x = 3", " xx = 1")))
    assert corpus.edited(tree, section) == {"a.py": "x = 3\nxx = 1\ny = 2\n"}


@pytest.mark.parametrize("line", ["-x = 2", "-y = 1", "- = 1"])
def test_a_hunk_must_fit_one_place(line: str) -> None:
    with pytest.raises(Malformed, match="places hold"):
        corpus.edited({"a.py": "y = 1\ny = 1\n"}, edit(("a.py", (line, "+z = 1"))))


def test_lines_that_are_only_added_go_to_the_end() -> None:
    section = edit(("a.py", ("+b",)), ("b.py", ("+c",)))
    assert corpus.edited({"a.py": "a\n"}, section) == {"a.py": "a\nb\n", "b.py": "c\n"}


def test_files_move_and_go() -> None:
    section = edit(("a.py -> c.py", ("-a", "+b")), ("b.py deleted", ()))
    assert corpus.edited({"a.py": "a\n", "b.py": ""}, section) == {"c.py": "b\n"}


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.id)
def test_every_pair_changes_something_and_says_why(pair: corpus.Pair) -> None:
    assert pair.why
    assert pair.edited != pair.parent
    assert pair.regression is None or pair.regressed_parent != pair.parent
    for expected in pair.expected:
        assert {expected.path} <= {*pair.parent, *pair.candidate}
