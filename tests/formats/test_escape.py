from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene.formats.escape import escape, replace_undecodable


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x9b31m", "\\x9b31m"),
        ("\x7f\x00", "\\x7f\\x00"),
        ("user\u202etxt.exe", "user\\u202etxt.exe"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("a\u2028b\u2029", "a\\u2028b\\u2029"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("nbsp\xa0", "nbsp\\xa0"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud83d", "\\ud83d"),
        (os.fsdecode(b"caf\xe9.ini"), "caf\\xe9.ini"),
    ],
)
def test_dangerous_characters_are_spelled_out(hostile: str, shown: str) -> None:
    assert escape(hostile) == shown


@pytest.mark.parametrize("innocent", ["", "a b-c", "Grüße", "日本語.ini", "e\u0301", "\\n", "🎉"])
def test_printable_text_is_left_alone(innocent: str) -> None:
    assert escape(innocent) is innocent


@given(st.text(st.characters(exclude_categories=())))
def test_result_is_always_one_encodable_printable_line(text: str) -> None:
    shown = escape(text)
    shown.encode("utf-8")
    assert shown.isprintable()
    assert escape(shown) == shown


@given(st.binary())
def test_undecodable_bytes_become_well_formed_and_the_rest_stays(raw: bytes) -> None:
    text = raw.decode("utf-8", "surrogateescape")
    replace_undecodable(text).encode("utf-8")
    assert replace_undecodable(raw.decode("latin-1")) == raw.decode("latin-1")
