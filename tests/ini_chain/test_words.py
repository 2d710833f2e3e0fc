"""Text is split as ``shlex.split`` splits it, and every word is found where it stands."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchhygiene_plugins.ini_chain.command.words import Split, shell_split

_LETTERS = "ab-=# \t\r\n'\"\\é\u2028\u00a0\x0c;|&<>$*"
texts = st.text(st.sampled_from(_LETTERS), max_size=20) | st.text(max_size=12)


def _splits(text: str) -> tuple[Split, ...] | None:
    try:
        return shell_split(text)
    except ValueError:
        return None


def _words(text: str) -> list[str] | None:
    try:
        return shlex.split(text)
    except ValueError:
        return None


@settings(max_examples=500)
@given(text=texts)
@example(text="-q \\\n    -ra")
@example(text="'-q -ra'")
@example(text="a'b c'd \"\" ''")
@example(text="\\")
@example(text="'")
@example(text="-k 'a' # b")
@example(text="\0")
def test_words_are_those_of_shlex(text: str) -> None:
    splits = _splits(text)
    assert (None if splits is None else [split.text for split in splits]) == _words(text)


@settings(max_examples=500)
@given(text=texts)
@example(text="  -q\t-ra\n\n  -k 'a b'")
def test_a_word_begins_at_its_offset(text: str) -> None:
    splits = _splits(text) or ()
    ends = [*(split.offset for split in splits[1:]), len(text)][: len(splits)]
    for split, end in zip(splits, ends, strict=True):
        assert shlex.split(text[split.offset : end]) == [split.text]
        assert text[split.offset] not in " \t\r\n"


@pytest.mark.parametrize("text", ["", " ", "\n\t\r", "a", "a b", "'a b' c", "a\\ b"])
def test_nothing_but_white_space_lies_between_words(text: str) -> None:
    splits = shell_split(text)
    outside = text[: splits[0].offset] if splits else text
    assert outside.strip(" \t\r\n") == ""
