"""A word or key of a TOML file is found where it was written, however it is spelt."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchhygiene_plugins.ini_chain.configuration.places import key_place, word_place

INI = "tool.pytest.ini_options"

#: A marks where the word --cov-fail-under=90 begins; the marks are taken out before parsing.
WORDS = {
    "basic string": f'[{INI}]\naddopts = "-q ¦--cov-fail-under=90"\n',
    "literal string": f"[{INI}]\naddopts = '-q ¦--cov-fail-under=90'\n",
    "multi-line basic string": f'[{INI}]\naddopts = """\n  -q\n  ¦--cov-fail-under=90\n"""\n',
    "multi-line literal string": f"[{INI}]\naddopts = '''-q\n¦--cov-fail-under=90'''\n",
    "array": f'[{INI}]\naddopts = [\n  "-q",\n  "¦--cov-fail-under=90",\n]\n',
    "array of literal strings": f"[{INI}]\naddopts = ['-q', '¦--cov-fail-under=90']\n",
    "inline table": '[tool.pytest]\nini_options = {addopts = "-q ¦--cov-fail-under=90"}\n',
    "inline tables": 'tool = {pytest = {ini_options = {addopts = "-q ¦--cov-fail-under=90"}}}\n',
    "dotted keys": 'tool.pytest.ini_options.addopts = "-q ¦--cov-fail-under=90"\n',
    "quoted keys": '[tool."pytest".\'ini_options\']\n"addopts" = "-q ¦--cov-fail-under=90"\n',
    "spaced keys": '[ tool . pytest . ini_options ]\naddopts="-q ¦--cov-fail-under=90"\n',
    "a comment with the word": f"[{INI}]\n# --cov-fail-under=90\n"
    "addopts = '-q ¦--cov-fail-under=90'\n",
    "another table with the word": "[tool.other]\naddopts = '-q --cov-fail-under=90'\n"
    f"[{INI}]\naddopts = '-q ¦--cov-fail-under=90'\n",
    "part of another word": f"[{INI}]\nmarkers = ['x: see --cov-fail-under=90']\n"
    "addopts = '--x--cov-fail-under=90 ¦--cov-fail-under=90'\n",
    "quoted inside": f"[{INI}]\naddopts = \"-q '¦--cov-fail-under=90'\"\n",
    "behind letters of other scripts": f"[{INI}]\n# é\naddopts = 'é𝕏 ¦--cov-fail-under=90'\n",
    "carriage returns": f'[{INI}]\r\naddopts = "-q ¦--cov-fail-under=90"\r\n',
}


def _planted(marked: str) -> tuple[str, tuple[int, int]]:
    offset = marked.index("¦")
    text = marked.replace("¦", "")
    return text, (text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


@pytest.mark.parametrize("name", WORDS)
def test_a_word_is_found_in_every_spelling(name: str) -> None:
    text, place = _planted(WORDS[name])
    words = {
        "part of another word": ["--x--cov-fail-under=90", "--cov-fail-under=90"],
        "behind letters of other scripts": ["é𝕏", "--cov-fail-under=90"],
    }.get(name, ["-q", "--cov-fail-under=90"])
    assert word_place(text, INI, words, 1) == place


@pytest.mark.parametrize(
    ("marked", "section"),
    [
        ("[tool.pytest]\naddopts = ['-q', '¦-x']\n", "tool.pytest"),
        ("[pytest]\naddopts = ['-q', '¦-x']\n", "pytest"),
        ("pytest.addopts = ['-q', '¦-x']\n", "pytest"),
    ],
)
def test_a_word_is_found_in_native_tables(marked: str, section: str) -> None:
    text, place = _planted(marked)
    assert word_place(text, section, ["-q", "-x"], 1) == place


def test_of_two_equal_words_each_is_found_where_it_stands() -> None:
    text = f"[{INI}]\naddopts = '-x -v -x'\n"
    assert word_place(text, INI, ["-x", "-v", "-x"], 0) == (2, 12)
    assert word_place(text, INI, ["-x", "-v", "-x"], 2) == (2, 18)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f'[{INI}]\naddopts = "-\\u0078"\n', ["-x"]),
        (f'[{INI}]\naddopts = "\\\n   -x \\\n  -v"\n', ["-xv"]),
        (f"[{INI}]\naddopts = ''\n", [""]),
        ("[other]\naddopts = '-x'\n", ["-x"]),
        ("not toml -x", ["-x"]),
        (f"[{INI}]\naddopts = '-x'\n{'[' * 2000}", ["-x"]),
    ],
)
def test_a_word_that_is_not_written_out_has_no_place(text: str, words: list[str]) -> None:
    assert word_place(text, INI, words, 0) is None


KEYS = {
    "bare": f"[{INI}]\n¦xfail_strict = true\n",
    "quoted": f'[{INI}]\n"¦xfail_strict" = true\n',
    "dotted": "tool.pytest.ini_options.¦xfail_strict = true\n",
    "inline": "[tool.pytest]\nini_options = {minversion = '6', ¦xfail_strict = true}\n",
    "after a comment": f"[{INI}] # xfail_strict\n  ¦xfail_strict=true\n",
    "after a value of that name": f"[{INI}]\naddopts = '-o xfail_strict=1'\n¦xfail_strict = true\n",
    "after a longer key": f"[{INI}]\nxfail_strictly = 1\n¦xfail_strict = true\n",
    "in two tables": f"[tool.other]\nxfail_strict = false\n[{INI}]\n¦xfail_strict = true\n",
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_is_found_in_every_spelling(name: str) -> None:
    text, place = _planted(KEYS[name])
    assert key_place(text, INI, "xfail_strict") == place


def test_a_key_that_is_not_there_has_no_place() -> None:
    assert key_place(f"[{INI}]\nxfail_strictly = true\n", INI, "xfail_strict") is None
    assert key_place("[tool.pytest]\nini_options = 3\n", INI, "xfail_strict") is None
    assert key_place("xfail_strict", INI, "xfail_strict") is None


_word = st.text(st.sampled_from("-xq=abé"), min_size=1, max_size=4)


@settings(max_examples=200)
@given(words=st.lists(_word, min_size=1, max_size=5), data=st.data())
def test_a_found_place_holds_the_word(words: list[str], data: st.DataObject) -> None:
    style = data.draw(st.sampled_from(["'{}'", '"""\n{}"""', '"{}"']))
    text = f"# {' '.join(words)}\n[{INI}]\naddopts = {style.format(' '.join(words))}\n"
    assume(tomllib.loads(text))
    index = data.draw(st.integers(0, len(words) - 1))
    place = word_place(text, INI, words, index)
    assert place is not None
    line, column = place
    row = text.splitlines()[line - 1]
    before = row[: column - 1].rpartition("'" if "'" in row else '"')[2].split()
    assert row[column - 1 :].startswith(words[index])
    assert len(before) == index
