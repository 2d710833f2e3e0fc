from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene.evidence.files import FileSnapshot, PathEntry, PathKind
from benchhygiene.formats.excerpts import Excerpts, excerpt
from benchhygiene.formats.layout import cells, plain

ADDOPTS = 'addopts = "--cov=harness --cov-fail-under=80"'


def shown(text: str, column: int | None = None, width: int | None = None) -> list[str]:
    return plain(excerpt(text, 3, column, width)).splitlines()


def underlined(lines: list[str]) -> str:
    source, carets = lines
    start = carets.index("^")
    assert set(carets[start:]) == {"^"}
    return source[start : len(carets)]


def test_the_word_at_the_column_is_underlined() -> None:
    lines = shown(ADDOPTS, ADDOPTS.index("--cov-fail") + 1)
    assert lines[0] == f"     3 | {ADDOPTS}"
    assert underlined(lines) == "--cov-fail-under=80"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("addopts = ['<-x', '--ff']", "-x"),
        ("addopts = [<'-x', '--ff']", "'-x'"),
        ("addopts = [<5, 6]", "5"),
        ("addopts = [<5]", "5"),
        ("addopts = -q <'-k not slow' -x", "'-k not slow'"),
        ("addopts = <-k='not slow' -x", "-k='not slow'"),
        ('addopts = "-q <-x"', "-x"),
        ("addopts = <--deselect=t.py::a[1] -x", "--deselect=t.py::a[1]"),
        ("addopts = <'unclosed", ""),
    ],
)
def test_the_word_ends_where_its_quotes_or_its_list_say(text: str, word: str) -> None:
    column = text.index("<") + 1
    lines = shown(text.replace("<", ""), column)
    assert (underlined(lines) if len(lines) == 2 else "") == word


def test_without_a_column_nothing_is_underlined() -> None:
    assert shown(ADDOPTS) == [f"     3 | {ADDOPTS}"]


@pytest.mark.parametrize("column", [0, -3, len(ADDOPTS), len(ADDOPTS) + 1, 10_000, 8])
def test_a_column_that_holds_no_word_underlines_nothing(column: int) -> None:
    assert shown(ADDOPTS, column) == [f"     3 | {ADDOPTS}"]


def test_tabs_and_wide_characters_keep_the_carets_in_place() -> None:
    lines = shown("\t日本 -x", 5)
    assert lines == ["     3 |     日本 -x", "       |          ^^"]


@pytest.mark.parametrize("width", [40, 80, 200, None])
def test_an_endless_line_is_cut_around_the_word(width: int | None) -> None:
    text = "a " * 300_000 + "--guilty " + "b " * 300_000
    lines = shown(text, text.index("--guilty") + 1, width)
    assert underlined(lines) == "--guilty"
    assert len(lines[0]) <= min(width or 160, 160)
    assert lines[0].count("...") == 2


def test_an_endless_word_is_cut() -> None:
    lines = shown("x" * 5000, 1, 80)
    assert underlined(lines).endswith("...")
    assert len(lines[0]) <= 80


def test_an_endless_line_without_a_word_shows_its_start() -> None:
    (only,) = shown("start" + " y" * 5000, None, 80)
    assert only.startswith("     3 | start y")
    assert len(only) <= 80


@given(st.text(max_size=300), st.integers(-2, 310), st.integers(40, 120))
def test_any_line_fits_its_width_and_is_printable(text: str, column: int, width: int) -> None:
    for line in plain(excerpt(text, 3, column, width)).split("\n"):
        assert line.isprintable()
        assert cells(line) <= width


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_an_editor_counts(end: str) -> None:
    files = FileSnapshot({"/host/pytest.ini": f"\ufeff[pytest]{end}x\f = 1\u2028{end}last"})
    excerpts = Excerpts(files, "/host/ws")
    assert excerpts.line("../pytest.ini", 1) == "[pytest]"
    assert excerpts.line("../pytest.ini", 2) == "x\f = 1\u2028"
    assert excerpts.line("/host/pytest.ini", 3) == "last"


def test_what_the_evidence_does_not_hold_has_no_line() -> None:
    files = FileSnapshot(
        {"/ws/a.ini": "one", "/ws/big.ini": PathEntry(PathKind.FILE, error="too large")}
    )
    excerpts = Excerpts(files, "/ws")
    assert excerpts.line("a.ini", 1) == "one"
    assert excerpts.line("a.ini", 2) is None
    assert excerpts.line("a.ini", 0) is None
    assert excerpts.line("big.ini", 1) is None
    assert excerpts.line("missing.ini", 1) is None
    assert excerpts.line(".", 1) is None
