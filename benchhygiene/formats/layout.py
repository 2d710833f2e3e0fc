"""Lines of styled words: the little typesetting the text format needs."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.formats.escape import escape

STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "pass": "bold green",
    "strong": "bold",
    "faint": "dim",
    "fix": "green",
}
"""What each style looks like, in rich's words."""


@attrs.frozen(eq=False, repr=False)
class Span:
    """Words in one style: a key of ``STYLES``, or empty for plain text.

    The text is escaped on the way in: whatever it holds, it shows as one line.
    """

    text: str = attrs.field(converter=escape)
    style: str = ""


Line = tuple[Span, ...]


def line(*parts: Span | str) -> Line:
    """Put a line together."""
    return tuple(Span(part) if isinstance(part, str) else part for part in parts)


def cells(text: str) -> int:
    """Return how many terminal columns printable text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_cell, text))


def _cell(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def wrap(
    text: str, width: int | None, indent: str = "", first: Line | None = None
) -> Iterator[Line]:
    """Yield the text as indented lines of at most ``width`` columns, cut at spaces only.

    ``first`` begins the first line instead of ``indent``, and should be as wide. A width of None
    means one line: what reads a pipe searches for whole sentences.
    """
    room = None if width is None else max(width - cells(indent), 20)
    start = line(indent) if first is None else first
    current = ""
    for word in escape(text).split(" "):
        longer = f"{current} {word}" if current else word
        if room is not None and current and cells(longer) > room:
            yield (*start, Span(current))
            start, current = line(indent), word
        else:
            current = longer
    yield (*start, Span(current))


def plain(lines: Iterable[Line]) -> str:
    """Return the lines as text without any style."""
    return "".join(_joined(spans) + "\n" for spans in lines)


def _joined(spans: Line) -> str:
    return "".join(span.text for span in spans).rstrip(" ")


def coloured(lines: Iterable[Line]) -> str:
    """Return the lines as text with ANSI colours from the terminal's own palette."""
    # Only the two small modules: rich.console would cost three times as much to import.
    from rich.color import ColorSystem
    from rich.style import Style

    looks = {name: Style.parse(look) for name, look in STYLES.items()}

    def paint(span: Span) -> str:
        if not span.style:
            return span.text
        return looks[span.style].render(span.text, color_system=ColorSystem.STANDARD)

    return "".join("".join(map(paint, spans)) + "\n" for spans in lines)
