"""INI files mean what the real iniconfig makes of them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import iniconfig
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchhygiene.inventory.ini_syntax import IniSyntaxError, parse_ini

Read = dict[str, dict[str, tuple[str, int | None]]]

_PIECES = [
    "[pytest]",
    "[ pytest ]",
    "[tool:pytest]",
    "[pytest] ; why",
    "[pytest] junk",
    "[pytest]#",
    "[]",
    "[",
    "addopts = -q",
    "addopts=-ra # no comment",
    "addopts : -x",
    "addopts",
    "=",
    "a = b : c",
    "a : b = c",
    "    -v",
    "\t# comment",
    "# comment",
    "; comment",
    "",
    "   ",
    "\u00a0x",
    "\u2003",
    "\ufeff[pytest]",
    "\ufeff",
]
_ENDS = ["\n", "\n", "\n", "\r\n", "\r", "\f", "\v", "\x1c", "\x85", "\u2028", "\u2029"]
lines = st.lists(st.tuples(st.sampled_from(_PIECES), st.sampled_from(_ENDS)), max_size=9)
shaped = lines.map(lambda pairs: "".join(piece + end for piece, end in pairs))
loose = st.text(st.sampled_from("[]a=:#; \t\n\r\f\v\x1d\x85\u2028\ufeffé'\\\""), max_size=30)
texts = shaped | loose | st.tuples(st.just("[pytest]\n"), loose).map("".join)


def _ours(text: str) -> Read | None:
    try:
        sections = parse_ini(text)
    except IniSyntaxError:
        return None
    return {
        name: {key: (value.text, value.line) for key, value in keys.items()}
        for name, keys in sections.items()
    }


def _real(text: str) -> Read | None:
    with tempfile.NamedTemporaryFile(suffix=".ini") as file:
        file.write(text.encode())
        file.flush()
        try:
            config = iniconfig.IniConfig(file.name)
        except iniconfig.ParseError:
            return None
    return {
        name: {key: (value, config.lineof(name, key)) for key, value in keys.items()}
        for name, keys in config.sections.items()
    }


@settings(max_examples=500)
@given(text=texts)
@example(text="[pytest]\naddopts = -q \\\n    -ra\n")
@example(text="[pytest]\naddopts =\n\n    -q\n  # out\n    -ra\n")
@example(text="[pytest]\na = 1\na = 2\n")
@example(text="[pytest]\n[pytest]\n")
@example(text="[pytest]\n[pytest] junk\n")
@example(text="[pytest]\na = 1\n[pytest] junk\n")
@example(text="a = 1\n")
@example(text=" a = 1\n")
@example(text="\ufeff[pytest]\na = 1\n")
@example(text="[flake8]\nx = 1\nx = 2\n[pytest]\n")
def test_a_file_means_what_iniconfig_makes_of_it(text: str) -> None:
    assert _ours(text) == _real(text)


@settings(max_examples=150)
@given(text=texts)
def test_every_piece_of_a_value_stands_where_it_says(text: str) -> None:
    try:
        sections = parse_ini(text)
    except IniSyntaxError:
        return
    bare = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    rows = bare.splitlines()
    for keys in sections.values():
        for value in keys.values():
            assert value.text == "\n".join(piece.text for piece in value.pieces)
            for piece in value.pieces:
                row = rows[piece.line - 1]
                assert row[piece.column - 1 :].rstrip() == piece.text


def test_an_older_iniconfig_trips_over_a_byte_order_mark() -> None:
    text = "\ufeff[pytest]\naddopts = -q\n"
    assert parse_ini(text)["pytest"]["addopts"].text == "-q"
    with pytest.raises(IniSyntaxError, match="line 1"):
        parse_ini(text, keeps_bom=True)


def test_a_refusal_names_the_line(tmp_path: Path) -> None:
    text = "[pytest]\na = 1\n\nb\n"
    with pytest.raises(IniSyntaxError) as caught:
        parse_ini(text)
    path = tmp_path / "tox.ini"
    path.write_text(text)
    with pytest.raises(iniconfig.ParseError) as real:
        iniconfig.IniConfig(path)
    assert caught.value.line == real.value.lineno + 1 == 4
