"""Read INI files as ``iniconfig`` does, keeping the line and column of every value.

Rules: iniconfig's ``_parse.py`` (2.1 and 2.3), as pytest calls it: inline comments stay in values,
section names are not stripped.
"""

from __future__ import annotations

import re
from typing import TypeAlias

import attrs

_COMMENTS = ("#", ";")


class IniSyntaxError(ValueError):
    """Say which line pytest's INI reader refuses, and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@attrs.frozen(eq=False, repr=False)
class Piece:
    """One physical line's share of a value: its text, 1-based line and column."""

    text: str
    line: int
    column: int


@attrs.frozen(eq=False, repr=False)
class IniValue:
    """A value, its lines joined with newlines, and the pieces it was joined from."""

    line: int
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """Return the value as pytest sees it."""
        return "\n".join(piece.text for piece in self.pieces)


Sections: TypeAlias = dict[str, dict[str, IniValue]]


@attrs.define(eq=False, repr=False)
class _Reader:
    sections: Sections = attrs.field(factory=dict[str, dict[str, IniValue]])
    section: str | None = None
    key: str | None = None
    pieces: list[Piece] = attrs.field(factory=list[Piece])

    def feed(self, number: int, line: str) -> None:
        kept = line.rstrip()
        if not kept or kept.lstrip().startswith(_COMMENTS):
            return
        if kept[0] == "[":
            self._bracket(number, kept)
        elif kept[0].isspace():
            self._continue(number, kept)
        else:
            self._assign(number, kept)

    def _bracket(self, number: int, line: str) -> None:
        bare = re.split("[#;]", line, maxsplit=1)[0].rstrip()
        if not bare.endswith("]"):
            # iniconfig takes "[pytest] junk" for the continuation of a value
            self._continue(number, line)
            return
        name = bare[1:-1]
        if not name:
            raise IniSyntaxError(number, "empty section name")
        if name in self.sections:
            raise IniSyntaxError(number, f"duplicate section {name!r}")
        self.finish()
        self.sections[name] = {}
        self.section, self.key = name, None

    def _continue(self, number: int, line: str) -> None:
        if self.section is None or self.key is None:
            raise IniSyntaxError(number, "unexpected value continuation")
        column = len(line) - len(line.lstrip()) + 1
        self.pieces.append(Piece(line.strip(), number, column))

    def _assign(self, number: int, line: str) -> None:
        name, sign, value = line.partition("=")
        if not sign or ":" in name:
            name, sign, value = line.partition(":")
        if not sign:
            raise IniSyntaxError(number, f"unexpected line: {line!r}")
        if self.section is None:
            raise IniSyntaxError(number, "no section header defined")
        key = name.strip()
        if key in self.sections[self.section]:
            raise IniSyntaxError(number, f"duplicate name {key!r}")
        column = len(line) - len(value.lstrip()) + 1
        self.finish()
        if value.strip():
            self.pieces.append(Piece(value.strip(), number, column))
        self.sections[self.section][key] = IniValue(number, ())
        self.key = key

    def finish(self) -> None:
        """Give the key that was read last the pieces of its value."""
        if self.section is not None and self.key is not None:
            value = self.sections[self.section][self.key]
            self.sections[self.section][self.key] = attrs.evolve(value, pieces=tuple(self.pieces))
        self.pieces = []


def parse_ini(text: str, *, keeps_bom: bool = False) -> Sections:
    """Return section → key → value.

    ``keeps_bom`` is iniconfig before 2.2, which trips over a byte order mark. Raises IniSyntaxError
    for whatever iniconfig refuses.
    """
    # open() in text mode translates line ends first; iniconfig then cuts at every
    # boundary that str.splitlines knows (form feed, NEL, U+2028).
    translated = text.replace("\r\n", "\n").replace("\r", "\n")
    if not keeps_bom:
        translated = translated.removeprefix("\N{BYTE ORDER MARK}")
    reader = _Reader()
    for number, line in enumerate(translated.splitlines(), start=1):
        reader.feed(number, line)
    reader.finish()
    return reader.sections
