from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from benchhygiene.formats.layout import STYLES, Span, cells, coloured, line, plain, wrap

SGR = re.compile(r"\x1b\[[0-9;]*m")


def test_words_are_wrapped_at_spaces_within_the_width() -> None:
    text = plain(wrap("one two three four five six seven eight", 24, "    "))
    assert text == "    one two three four\n    five six seven eight\n"


def test_without_a_width_nothing_is_wrapped() -> None:
    assert plain(wrap("word " * 100 + "end", None)).count("\n") == 1


def test_a_word_that_cannot_be_cut_stays_whole() -> None:
    assert "x" * 300 in plain(wrap("a " + "x" * 300 + " b", 40))


@given(st.lists(st.text(min_size=1), max_size=30), st.integers(1, 200))
def test_wrapping_loses_no_word(words: list[str], width: int) -> None:
    wrapped = plain(wrap(" ".join(words), width)).split()
    assert wrapped == plain(wrap(" ".join(words), None)).split()


@given(st.lists(st.tuples(st.text(), st.sampled_from(["", *STYLES])), max_size=5))
def test_colour_adds_nothing_but_colour(parts: list[tuple[str, str]]) -> None:
    lines = [line(*(Span(text, style) for text, style in parts))]
    bare = [SGR.sub("", shown).rstrip(" ") for shown in coloured(lines).split("\n")]
    assert "\n".join(bare) == plain(lines)


def test_styles_are_painted_and_hostile_escapes_are_not() -> None:
    text = coloured([line("a", Span("\x1b[5mblink", "error"))])
    assert text == "a\x1b[1;31m\\x1b[5mblink\x1b[0m\n"


def test_cells_count_wide_and_combining_characters() -> None:
    assert cells("ab") == 2
    assert cells("日本") == 4
    assert cells("e\u0301") == 1
