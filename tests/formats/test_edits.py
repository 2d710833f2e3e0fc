"""How the two sides of an edit are shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import Change, SourceTree
from benchhygiene.formats.change_excerpts import ChangeExcerpts
from benchhygiene.formats.edits import edit
from benchhygiene.formats.layout import cells, coloured, plain
from tests.trees.test_tree import link


def shown(old: str, new: str, width: int | None = None) -> str:
    return plain(edit(old, new, width, indent=""))


def test_nothing_is_shown_of_nothing() -> None:
    assert shown("", "") == ""


def test_one_side_alone_needs_one_column() -> None:
    assert shown("assert a\nassert b", "", 200) == "- assert a\n- assert b\n"
    assert shown("", "@skip", 200) == "+ @skip\n"


def test_without_room_the_old_stands_above_the_new() -> None:
    assert shown("assert f(1) == 2", "assert f(1)", 80) == "- assert f(1) == 2\n+ assert f(1)\n"


def test_with_room_they_stand_side_by_side() -> None:
    lines = shown("assert f(1) == 2", "assert f(1)", 100).splitlines()
    assert lines == [
        f"{'parent':48} | candidate",
        f"{'assert f(1) == 2':48} | assert f(1)",
    ]


def test_what_is_common_is_shown_once_and_only_near() -> None:
    old = "\n".join(["def test():", *(f"    x{n} = {n}" for n in range(30)), "    assert x"])
    new = old.replace("assert x", "pass")
    assert shown(old, new) == (
        "  ...\n      x28 = 28\n      x29 = 29\n-     assert x\n+     pass\n"
    ).removeprefix("  ...\n")
    beside = shown(old, new, 100).splitlines()
    assert [line.partition(" | ")[0].strip() for line in beside] == [
        "parent",
        "x28 = 28",
        "x29 = 29",
        "assert x",
    ]


def test_a_gap_is_marked() -> None:
    old = "\n".join(["a", *"1234567", "b"])
    new = old.replace("a", "A").replace("b", "B")
    assert shown(old, new) == "- a\n+ A\n  1\n  2\n  ...\n  6\n  7\n- b\n+ B\n"


def test_lines_keep_their_places_to_one_another() -> None:
    text = "def test():\n        assert a\n        if b:\n            assert c"
    assert shown(text, "") == "- def test():\n-     assert a\n-     if b:\n-         assert c\n"
    assert shown("f(a,\n        b)", "") == "- f(a,\n- b)\n"


def test_a_long_text_is_cut_and_that_is_said() -> None:
    out = shown("\n".join(map(str, range(1000))), "")
    assert out.splitlines()[-1] == "and 976 more lines"
    assert len(out.splitlines()) == 25


def test_a_long_line_is_wrapped_not_cut_off() -> None:
    old = "assert total == " + "1" * 100
    lines = shown(old, old[:-1] + "2", 60).splitlines()
    assert all(len(line) <= 60 for line in lines)
    assert "".join(line[2:] for line in lines[:2]) == old


def test_controls_are_spelled_out() -> None:
    assert shown("a\x1b[31m\u202e", "") == "- a\\x1b[31m\\u202e\n"


def test_removed_is_red_and_added_is_green() -> None:
    out = coloured(edit("a", "b", None, indent=""))
    assert out == "\x1b[1;31m- a\x1b[0m\n\x1b[1;32m+ b\x1b[0m\n"


texts = st.text(st.sampled_from("ab \n\t\r\x1b漢\udcff"), max_size=60)


@given(texts, texts, st.sampled_from([None, 40, 80, 100, 137]))
def test_no_text_breaks_the_layout(old: str, new: str, width: int | None) -> None:
    lines = shown(old, new, width).split("\n")[:-1]
    assert all(line.isprintable() for line in lines)
    assert width is None or all(cells(line) <= width for line in lines)
    assert bool(lines) is bool(old or new)


@pytest.mark.parametrize("width", [None, 120])
def test_many_lines_that_have_little_in_common_take_no_time(width: int | None) -> None:
    old = "\n".join("x" for _ in range(50_000))
    assert "more lines" in shown(old, old.replace("x", "y"), width)


OLD = "import a\n\n\ndef test():\n    assert f() == 1\n"
NEW = "import a\n\n\ndef test():\n    if a:\n        assert f() == 1\n"


def test_the_edit_near_a_place_is_found() -> None:
    near = ChangeExcerpts(Change({"t.py": OLD}, {"t.py": NEW})).edit_near
    assert near("t.py", 6) == (
        "    assert f() == 1",
        "    if a:\n        assert f() == 1",
    )
    assert near("t.py", 600) is None
    assert near("other.py", 1) is None


def test_far_too_different_files_have_no_near_edit() -> None:
    old = "".join(f"{n}\n" for n in range(1000))
    change = Change({"t.py": old}, {"t.py": old.replace("\n", "x\n")})
    assert ChangeExcerpts(change).edit_near("t.py", 1) is None


def test_a_line_is_the_candidates_or_else_the_parents() -> None:
    excerpts = ChangeExcerpts(Change({"a": "old", "gone": "1\r\n2"}, {"a": "new"}))
    assert excerpts.line("a", 1) == "new"
    assert excerpts.line("gone", 2) == "2"
    assert excerpts.line("gone", 3) is None
    assert excerpts.line("a", 0) is None
    assert excerpts.line("nowhere", 1) is None


def test_a_line_behind_a_link_is_not_shown() -> None:
    tree = SourceTree({"a": link("b"), "b": "secret"})
    assert ChangeExcerpts(Change(tree, tree)).line("a", 1) is None
