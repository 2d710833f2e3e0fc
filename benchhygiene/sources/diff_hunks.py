"""Read the hunks of a diff."""

from __future__ import annotations

import re

import attrs

from benchhygiene.sources.diff_lines import DiffLines

_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NO_NEWLINE = b"\\ "
_CUT_OFF = "the last line has no newline: the diff was cut off, or stripped"


@attrs.frozen
class Hunk:
    """Lines to replace: those before and after, context included, their ends as they are.

    ``line`` is where it starts in the diff, ``header`` the part between the two ``@@``.
    ``trailing`` counts the context lines at its end.
    """

    line: int
    header: str
    old_start: int
    new_start: int
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]
    trailing: int


@attrs.define
class _Sides:
    """The lines of a hunk as they are gathered."""

    old: list[bytes] = attrs.field(factory=list[bytes])
    new: list[bytes] = attrs.field(factory=list[bytes])
    trailing: int = 0
    changes: int = 0

    def take(self, line: bytes) -> bool:
        """Take in one line; False where it is none of a hunk."""
        kind, text = line[:1], line[1:]
        if kind in (b" ", b"\n"):  # some tools leave the blank out before an empty line
            self.old.append(text or b"\n")
            self.new.append(text or b"\n")
            self.trailing += 1
            return True
        if kind not in (b"-", b"+"):
            return False
        (self.old if kind == b"-" else self.new).append(text)
        self.trailing = 0
        self.changes += 1
        return True

    def drop_newline(self, last: bytes) -> None:
        """Say that the line before has no newline at its end, on the sides it belongs to."""
        for side, kinds in ((self.old, b" -"), (self.new, b" +")):
            if last[:1] in (bytes((kind,)) for kind in kinds) and side:
                side[-1] = side[-1].removesuffix(b"\n")


def is_hunk(line: bytes) -> bool:
    """Return whether a hunk begins here."""
    return _HUNK.match(line) is not None


def hunks(lines: DiffLines) -> tuple[Hunk, ...]:
    """Read every hunk from here on; raises InputError where one is damaged."""
    found: list[Hunk] = []
    while match := _HUNK.match(lines.peek()):
        found.append(_hunk(lines, match))
    if lines.peek().startswith(b"@@ -"):
        raise lines.fault("the header of a hunk is damaged")
    return tuple(found)


def _hunk(lines: DiffLines, head: re.Match[bytes]) -> Hunk:
    start = lines.number
    old_start, old_count, new_start, new_count = (
        1 if text is None else int(text) for text in head.groups()
    )
    header = head.group().decode()
    lines.next()
    sides, last = _Sides(), b""
    while len(sides.old) < old_count or len(sides.new) < new_count:
        last = _take_line(lines, sides, last, header)
    if lines.peek().startswith(_NO_NEWLINE):
        sides.drop_newline(last)
        lines.next()
    if len(sides.old) > old_count or len(sides.new) > new_count or not sides.changes:
        problem = "it changes nothing" if not sides.changes else "its lines are not as many"
        raise lines.fault(f"the hunk {header} is damaged: {problem}", start)
    old, new = tuple(sides.old), tuple(sides.new)
    return Hunk(start, header, old_start, new_start, old, new, sides.trailing)


def _take_line(lines: DiffLines, sides: _Sides, last: bytes, header: str) -> bytes:
    line = lines.peek()
    if line.startswith(_NO_NEWLINE):
        sides.drop_newline(last)
    elif not line.endswith(b"\n"):
        problem = _CUT_OFF if line else "the diff ends in the middle of it"
        raise lines.fault(f"the hunk {header} is damaged: {problem}")
    elif not sides.take(line):
        raise lines.fault(f"the hunk {header} is damaged: expected a line with ' ', '-' or '+'")
    lines.next()
    return line
