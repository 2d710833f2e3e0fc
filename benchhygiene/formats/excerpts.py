"""Show the line of a file that a finding points at, with the guilty word underlined."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.files import FileSnapshot
from benchhygiene.formats.escape import escape
from benchhygiene.formats.layout import Line, Span, cells, line

_LINE_END = re.compile(r"\r\n|\n|\r")
_QUOTED = r"\"[^\"]*\"|'[^']*'"
_WORD = re.compile(rf"{_QUOTED}|[^\s\"']+(?:(?<==)(?:{_QUOTED}))?")
_WIDEST = 160  # a line longer than this is cut even where no terminal sets a width
_FAR = 4 * _WIDEST


class LineSource(Protocol):
    """Where the lines are taken from that findings point at."""

    def line(self, path: str, number: int) -> str | None:
        """Return a line by its 1-based number, None where the evidence does not hold it."""
        ...


@runtime_checkable
class EditSource(Protocol):
    """Where the edit is taken from that stands nearest to a place."""

    def edit_near(self, path: str, number: int) -> tuple[str, str] | None:
        """Return the old and the new text of the edit near a line; None where none is near."""
        ...


@attrs.frozen(eq=False, repr=False)
class Excerpts:
    """Lines of the files that the evidence holds; nothing is ever read again.

    ``base`` is the absolute directory that the paths of locations are relative to.
    """

    files: FileSnapshot = attrs.field(factory=FileSnapshot)
    base: str = "/"

    def line(self, path: str, number: int) -> str | None:
        """Return a line by its 1-based number, None where the evidence does not hold it.

        A file behind a link is never shown.

        Lines end as in an editor: LF, CRLF or CR. A byte-order mark is dropped, undecodable bytes
        are replaced.
        """
        full = posixpath.normpath(posixpath.join(self.base, path))
        if self.files.real(full) != full:
            return None  # a link may lead to a secret outside the workspace
        try:
            lines = split_lines(self.files.read(full))
        except EvidenceUnavailable:
            return None
        return lines[number - 1] if 0 < number <= len(lines) else None


def split_lines(data: bytes) -> list[str]:
    """Return the lines of a file as an editor counts them; what is not UTF-8 is replaced."""
    return _LINE_END.split(data.decode("utf-8", "replace").removeprefix("\ufeff"))


def excerpt(text: str, number: int, column: int | None, width: int | None) -> Iterator[Line]:
    """Yield a source line and, below it, carets under the word that starts at the column."""
    gutter = f"{number:>6} | "
    room = min(width or _WIDEST, _WIDEST) - len(gutter)
    before, word, after = _split(text.rstrip(), column)
    before, word, after = _crop(_visible(before), _visible(word), _visible(after), room)
    yield line(Span(gutter, "faint"), before, Span(word, "error"), after)
    if word:
        below = " " * (len(gutter) - 2) + "| " + " " * cells(before)
        yield line(Span(below, "faint"), Span("^" * max(cells(word), 1), "error"))


def _split(text: str, column: int | None) -> tuple[str, str, str]:
    """Cut the line around the word; of an endless line only what could ever be shown is kept."""
    start = column - 1 if column is not None and 0 < column <= len(text) else 0
    found = _WORD.match(text, start) if column == start + 1 else None
    word = _trimmed(found.group()) if found else ""
    end = start + len(word)
    return text[max(start - _FAR, 0) : start], word[:_FAR], text[end : end + _FAR]


def _trimmed(word: str) -> str:
    """Drop what belongs to the list that the word stands in, not to the word."""
    return word.rstrip(",") if "[" in word else word.rstrip(",]") or word[:1]


def _visible(text: str) -> str:
    return escape(text.replace("\t", "    "))


def _crop(before: str, word: str, after: str, room: int) -> tuple[str, str, str]:
    """Cut both sides of the word, then the word itself, until the line fits the room."""
    if cells(before + word + after) <= room:
        return before, word, after
    word = _head(word, room // 2)
    before = _tail(before, (room - cells(word)) // 2)
    return before, word, _head(after, room - cells(before + word))


def _head(text: str, room: int) -> str:
    if cells(text) <= room:
        return text
    kept = text[: max(room - 3, 0)]
    while cells(kept) > room - 3 and kept:
        kept = kept[:-1]
    return kept + "..."


def _tail(text: str, room: int) -> str:
    return _head(text[::-1], room)[::-1]
