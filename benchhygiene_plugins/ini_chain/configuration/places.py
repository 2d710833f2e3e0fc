"""Find where in a TOML file a word or a key was written.

The standard parser keeps no positions. A place is proved instead: the text there is changed, and
the document is read again; it is the place if just that word, or just that key, has changed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence

from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene_plugins.ini_chain.command.words import shell_split
from benchhygiene_plugins.ini_chain.configuration.shapes import items, table

#: How much text is read again before the search gives up, and how many occurrences are tried.
_BUDGET = 2_000_000
_TRIES = 64
_FILLERS = ("x", "y")


def word_place(text: str, section: str, words: Sequence[str], index: int) -> tuple[int, int] | None:
    """Return the 1-based line and column of one addopts word, None where it cannot be told."""
    word = words[index]
    for start in _occurrences(text, word):
        changed = text[:start] + _filler(word) + text[start + len(word) :]
        now = _addopts(changed, section)
        if now is None or len(now) != len(words) or now[index] == word:
            continue
        if all(
            new == old for at, (new, old) in enumerate(zip(now, words, strict=True)) if at != index
        ):
            return _line_column(text, start)
    return None


def key_place(text: str, section: str, key: str) -> tuple[int, int] | None:
    """Return the 1-based line and column of a key, None where it cannot be told."""
    before = _table(text, section)
    if before is None or key not in before:
        return None
    for start in _occurrences(text, key):
        changed = text[:start] + _filler(key) + text[start + len(key) :]
        after = _table(changed, section)
        if after is not None and key not in after and len(after) == len(before):
            return _line_column(text, start)
    return None


def _filler(word: str) -> str:
    filler = next(letter for letter in _FILLERS if letter * len(word) != word)
    return filler * len(word)


def _occurrences(text: str, word: str) -> Iterator[int]:
    if not word:
        return
    tries = min(_TRIES, _BUDGET // max(len(text), 1))
    for count, match in enumerate(re.finditer(re.escape(word), text)):
        if count >= tries:
            return
        yield match.start()


def _table(text: str, section: str) -> Mapping[str, object] | None:
    try:
        node: object = parse_toml(text)
    except (tomllib.TOMLDecodeError, TomlRefused):
        return None
    for part in section.split("."):
        node = (table(node) or {}).get(part)
    return table(node)


def _addopts(text: str, section: str) -> list[str] | None:
    value = (_table(text, section) or {}).get("addopts")
    listed = items(value)
    if listed is not None:
        return [str(item) for item in listed]
    if not isinstance(value, str):
        return None
    try:
        return [split.text for split in shell_split(value)]
    except ValueError:
        return None


def _line_column(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
