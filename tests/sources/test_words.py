"""Words are taken apart generously, and nothing about them can raise."""

from __future__ import annotations

import os
import shlex

from hypothesis import example, given
from hypothesis import strategies as st

from benchhygiene.sources.words import candidates, expand, positional, split, tokens

WORDS = st.text(st.characters(exclude_categories=()), max_size=30)


@given(WORDS)
@example("'")
@example("a\\")
def test_any_line_splits_and_a_good_one_as_the_shell_does(line: str) -> None:
    words = split(line)
    try:
        assert list(words) == shlex.split(line)
    except ValueError:
        assert "".join(words) == "".join(line.split())


@given(WORDS, st.sampled_from(["-c{}", "-qc{}", "--rootdir={}", "@{}", "-o=x=[{}]", "'{}'"]))
def test_the_path_is_among_the_candidates_however_it_is_written(path: str, form: str) -> None:
    plain = all(character not in path for character in " \t'\",=[](){}:") and path.split() == [path]
    if plain:
        assert path in set(candidates(form.format(path)))
        assert path in set(candidates(form.format(f"{path}::test_a[x]")))
    assert path in set(candidates(path))


def test_a_dotted_name_is_looked_up_as_a_module() -> None:
    for word in ("a.b", "-pa.b", "--cov=a.b"):
        assert {"a/b", "a/b.py", "a/b/__init__.py"} <= set(candidates(word))
    assert "3/11" not in set(candidates("3.11"))


def test_option_values_are_no_paths_but_unknown_options_take_none() -> None:
    words = ("-q", "a", "-c", "b", "--cov", "c", "--rootdir=d", "e::f[g]", "-n", "2", "--", "h")
    assert list(positional(words)) == ["a", "c", "e", "h"]


@given(st.dictionaries(st.from_regex(r"\A\w{1,5}\Z"), WORDS, max_size=3), st.data())
def test_variables_expand_as_in_the_standard_library(
    environ: dict[str, str], data: st.DataObject
) -> None:
    names = st.sampled_from([*environ, "unset_name"])
    text = data.draw(WORDS.filter(lambda word: "$" not in word)) + f"/${data.draw(names)}/"
    text += f"${{{data.draw(names)}}}"
    usable = {k: v for k, v in environ.items() if "\0" not in v and v.isascii() and k.isascii()}
    before = dict(os.environ)
    try:
        os.environ.clear()
        os.environ.update(usable)
        assert expand(text, usable) == os.path.expandvars(text)
    finally:
        os.environ.clear()
        os.environ.update(before)


@given(st.lists(st.from_regex(r"\A[a-z./-]{1,8}\Z"), max_size=5))
def test_tokens_find_words_in_lists_and_in_ini_values(words: list[str]) -> None:
    assert list(tokens("\n".join(words))) == words
    assert list(tokens("x=[" + ", ".join(f'"{word}"' for word in words) + "]"))[1:] == words
