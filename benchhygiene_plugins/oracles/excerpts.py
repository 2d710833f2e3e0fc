"""The part of two texts in which they differ, short enough to be read beside each other."""

from __future__ import annotations

import hashlib

_MOST_LINES = 30
_MOST_CHARACTERS = 2_000


def excerpts(old: bytes, new: bytes) -> tuple[str, str]:
    """Return what differs of two contents; of what is cut off, or is no text, the digest is named.

    A waiver binds to these texts, so that other bytes must give another one.
    """
    try:
        before, after = old.decode("utf-8"), new.decode("utf-8")
    except UnicodeDecodeError:
        return _digest(old), _digest(new)
    if "\0" in before or "\0" in after:
        return _digest(old), _digest(new)
    first, second = _differing(before.splitlines(), after.splitlines())
    if first == second:  # line endings alone
        return repr(_cut(before, old)), repr(_cut(after, new))
    return _cut("\n".join(first), old), _cut("\n".join(second), new)


def _differing(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    most = min(len(old), len(new)) - start
    while end < most and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end]


def _cut(text: str, whole: bytes) -> str:
    lines = text.split("\n")
    if len(lines) <= _MOST_LINES and len(text) <= _MOST_CHARACTERS:
        return text
    kept = "\n".join(lines[:_MOST_LINES])[:_MOST_CHARACTERS]
    return f"{kept}\n... ({_digest(whole)})"


def _digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}, {len(data)} bytes"
