"""Read the names of files off the headers of a diff."""

from __future__ import annotations

import re

NOWHERE = b"/dev/null"
_LONGEST = 8192  # bytes of two paths
_ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|[abfnrtv\\\"])", re.DOTALL)
_LETTERS = dict(zip(b"abfnrtv", b"\a\b\f\n\r\t\v", strict=True))
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_TIMESTAMP = re.compile(
    rb" +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?: [-+]\d\d:?\d\d)?$"
)  # GNU diff puts a tab before it, which mailers turn into a space
_EPOCH = re.compile(
    rb"\t(1969-12-31|1970-01-01) (\d\d):(\d\d):00(?:\.0+)? ([-+])(\d\d):?(\d\d)\r?\n$"
)


def unquoted(text: bytes) -> bytes:
    """Return a name as it is, taken out of the quotes git puts around unusual ones."""
    found = _QUOTED.match(text)
    return text if found is None else _ESCAPE.sub(_plain, found[1])


def _plain(escape: re.Match[bytes]) -> bytes:
    code = escape[1]
    if len(code) == 3:
        return bytes((int(code, 8),))
    return bytes((_LETTERS.get(code[0], code[0]),))


def stated_name(text: bytes, *, has_timestamp: bool) -> bytes:
    """Return the name that follows ``---`` or ``+++``, what stands behind a tab left out."""
    if text.startswith(b'"'):
        return unquoted(text)
    name, tab, _ = text.rstrip(b"\n").partition(b"\t")
    return _TIMESTAMP.sub(b"", name) if has_timestamp and not tab else name


def is_nowhere(text: bytes) -> bool:
    """Return whether what follows ``---`` or ``+++`` says that there is no file."""
    return text.startswith(NOWHERE) and text[len(NOWHERE) : len(NOWHERE) + 1].isspace()


def is_epoch(text: bytes) -> bool:
    """Return whether the timestamp is the one GNU diff gives to a file that does not exist."""
    found = _EPOCH.search(text)
    if found is None:
        return False
    minutes = int(found[2]) * 60 + int(found[3])
    zone = int(found[5]) * 60 + int(found[6])
    local = minutes + zone if found[4] == b"-" else minutes - zone
    return local == (24 * 60 if found[1] == b"1969-12-31" else 0)


def stripped(name: bytes, strip: int) -> str | None:
    """Return the name without that many components in front; None where it has no more than that.

    Bytes that are not UTF-8 come as surrogates, as in the names of files.
    """
    parts = name.split(b"/", strip)
    if len(parts) <= strip or not parts[-1]:
        return None
    return re.sub(rb"/+", b"/", parts[-1]).decode(errors="surrogateescape")


def header_name(text: bytes, strip: int) -> str | None:
    """Return the name that a line ``diff --git`` has twice; None where it does not.

    It is only needed where nothing else names the file: a mode changed, an empty file came or went.
    """
    if len(text) > _LONGEST:
        return None
    if text.startswith(b'"'):
        first = _QUOTED.match(text)
        if first is None:
            return None
        return _same(unquoted(text), unquoted(text[first.end() :].lstrip()), strip)
    if text.endswith(b'"') and b' "' in text:
        plain, _, quoted = text.partition(b' "')
        return _same(plain, unquoted(b'"' + quoted), strip)
    blanks = (found.start() for found in re.finditer(rb"[ \t]", text))
    middle = (at for at in blanks if _is_middle(text, at, strip))
    at = next(middle, None)
    return None if at is None else stripped(text[:at], strip)


def _is_middle(text: bytes, at: int, strip: int) -> bool:
    """Say whether the same name stands on both sides; compared only where it can be."""
    first, second = text[:at].split(b"/", strip), text[at + 1 :].split(b"/", strip)
    if min(len(first), len(second)) <= strip or len(first[-1]) != len(second[-1]):
        return False
    return first[-1] == second[-1]


def _same(first: bytes, second: bytes, strip: int) -> str | None:
    name = stripped(first, strip)
    return name if name == stripped(second, strip) else None
