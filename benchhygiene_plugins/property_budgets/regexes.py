"""Whether a plain regular expression still matches all that another one matches."""

from __future__ import annotations

import re

import attrs

_TOKEN = re.compile(r"(\[(?:\\.|[^\]\\])+\]|\\.|.)([*+?]|\{\d{0,6}(?:,\d{0,6})?\})?", re.DOTALL)
_SPECIAL = frozenset("()|")
_DIGITS, _LETTERS = "0123456789", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CLASSES = {"\\d": frozenset(_DIGITS), "\\w": frozenset(_DIGITS + _LETTERS + "_")}
_EVERY = 0x110000
_REPEATS = {"": (1, 1), "?": (0, 1), "*": (0, _EVERY), "+": (1, _EVERY)}
_LONGEST = 500  # characters of a pattern


@attrs.frozen
class _Part:
    letters: frozenset[str]
    least: int
    most: int

    def holds(self, other: _Part) -> bool:
        return (
            other.letters <= self.letters and self.least <= other.least and other.most <= self.most
        )


def covers(new: str, old: str) -> bool | None:
    """Return whether a pattern matches all that an old one does, None where nobody can tell.

    Only sequences of characters and classes with their repetitions are told, part by part.
    """
    before, after = _parts(old), _parts(new)
    if before is None or after is None or len(before) != len(after):
        return None
    return all(now.holds(was) for was, now in zip(before, after, strict=True))


def _parts(pattern: str) -> list[_Part] | None:
    if len(pattern) > _LONGEST:
        return None
    found: list[_Part] = []
    for text, repeat in _TOKEN.findall(pattern):
        letters = _letters(text)
        if letters is None:
            return None
        found.append(_Part(letters, *_range(repeat)))
    return found


def _range(repeat: str) -> tuple[int, int]:
    if repeat in _REPEATS:
        return _REPEATS[repeat]
    least, comma, most = repeat[1:-1].partition(",")
    low = int(least or 0)
    return low, int(most or _EVERY) if comma else low


def _letters(text: str) -> frozenset[str] | None:
    if text in _SPECIAL or text.startswith("[^") or text == ".":
        return None
    if text.startswith("["):
        return _members(text[1:-1])
    return _CLASSES.get(text, frozenset((text,)))


def _members(inner: str) -> frozenset[str] | None:
    found: set[str] = set()
    for first, last in re.findall(r"(\\.|.)(?:-(\\.|[^\]]))?", inner, re.DOTALL):
        if last and first <= last and len(first) == len(last) == 1:
            found.update(map(chr, range(ord(first), ord(last) + 1)))
        elif last:
            return None
        else:
            found.update(_CLASSES.get(first, {first}))
    return frozenset(found)
