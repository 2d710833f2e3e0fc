"""Show what an edit made of a piece of text: side by side where there is room, else one by one."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene.core.findings import Finding, SymbolKind, place
from benchhygiene.formats.escape import escape
from benchhygiene.formats.layout import Line, Span, cells, line

_SIDE_BY_SIDE = 100  # columns of a terminal from which two texts fit beside each other
_MOST_LINES = 400  # of each text that are looked at
_MOST_ROWS = 24  # shown of one edit
_AROUND = 2  # rows shown before and after what differs
_LONGEST = 2_000  # characters of one line
_TAB = "    "


@attrs.frozen
class _Row:
    """A line of each text, None where the other has no counterpart."""

    old: str | None
    new: str | None

    @property
    def is_same(self) -> bool:
        return self.old == self.new


def is_edit(finding: Finding) -> bool:
    """Return whether a finding is on an edit: an option's text is where it stands, not changed."""
    on_option = place(finding).symbol_kind is SymbolKind.OPTION
    return bool(finding.old_text or finding.new_text) and not on_option


def edit(old: str, new: str, width: int | None, indent: str = "    ") -> Iterator[Line]:
    """Yield the old and the new text as lines; nothing where there is neither.

    What both have in common is shown for two lines around what differs. A width of None never
    wraps.
    """
    if not old and not new:
        return
    before, after = _lines(old), _lines(new)
    rows, left_out = _shortened(_aligned(before[:_MOST_LINES], after[:_MOST_LINES]))
    left_out += max(len(before) - _MOST_LINES, 0) + max(len(after) - _MOST_LINES, 0)
    wide = width is not None and width >= _SIDE_BY_SIDE and old and new
    if wide and width is not None:
        yield from _beside(rows, width, indent)
    else:
        yield from _below(rows, width, indent)
    if left_out:
        yield line(indent, Span(f"and {left_out} more lines", "faint"))


def _lines(text: str) -> list[str]:
    """Return the lines, indented as they are to one another."""
    lines = [one.rstrip("\r").expandtabs(len(_TAB)) for one in text.rstrip("\n").split("\n")]
    rest = [one for one in lines[1:] if one.strip()]
    if not text:
        return []
    if not lines[0][:1].isspace():  # cut out of a file at its first word
        margin = min((len(one) - len(one.lstrip()) for one in rest), default=0)
        is_body = lines[0].rstrip().endswith((":", "(", "[", "{"))
        margin = max(margin - len(_TAB), 0) if is_body else margin
        lines[1:] = [one[margin:] for one in lines[1:]]
    return lines


def _aligned(old: list[str], new: list[str]) -> list[_Row]:
    import difflib  # a report without an edit needs none of it

    rows: list[_Row] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for _, i, j, k, m in matcher.get_opcodes():
        before, after = old[i:j], new[k:m]
        for number in range(max(len(before), len(after))):
            left = before[number] if number < len(before) else None
            rows.append(_Row(left, after[number] if number < len(after) else None))
    return rows


def _shortened(rows: list[_Row]) -> tuple[list[_Row | None], int]:
    """Return the rows near a difference, None for a gap, and how many had no room at the end."""
    near = [
        any(not row.is_same for row in rows[max(at - _AROUND, 0) : at + _AROUND + 1])
        for at in range(len(rows))
    ]
    if not any(near):
        near = [True] * len(rows)
    shown: list[_Row | None] = []
    for row, is_near in zip(rows, near, strict=True):
        if is_near:
            shown.append(row)
        elif shown and shown[-1] is not None:
            shown.append(None)
    if shown and shown[-1] is None:
        shown.pop()
    rest = sum(row is not None for row in shown[_MOST_ROWS:])
    return shown[:_MOST_ROWS], rest


def _beside(rows: list[_Row | None], width: int, indent: str) -> Iterator[Line]:
    room = (width - cells(indent) - 3) // 2
    yield line(indent, Span("parent".ljust(room), "faint"), " | ", Span("candidate", "faint"))
    for row in rows:
        if row is None:
            yield line(indent, Span("...".ljust(room), "faint"), " | ", Span("...", "faint"))
            continue
        left, right = _pieces(row.old or "", room), _pieces(row.new or "", room)
        styles = ("", "") if row.is_same else ("error", "pass")
        for number in range(max(len(left), len(right))):
            before = left[number] if number < len(left) else ""
            after = right[number] if number < len(right) else ""
            padding = " " * (room - cells(before))
            yield line(indent, Span(before, styles[0]), padding, " | ", Span(after, styles[1]))


def _below(rows: list[_Row | None], width: int | None, indent: str) -> Iterator[Line]:
    """Yield the rows as a diff does: every run of removed lines before what replaces it."""
    waiting: list[str] = []
    room = None if width is None else max(width - cells(indent) - 2, 20)
    for row in rows:
        if row is None or row.is_same or row.new is None:
            if row is not None and not row.is_same:
                yield from _marked("-", row.old, "error", room, indent)
                continue
            yield from _flushed(waiting, room, indent)
            text = "..." if row is None else row.old
            yield from _marked(" ", text, "faint" if row is None else "", room, indent)
            continue
        if row.old is not None:
            yield from _marked("-", row.old, "error", room, indent)
        waiting.append(row.new)
    yield from _flushed(waiting, room, indent)


def _flushed(waiting: list[str], room: int | None, indent: str) -> Iterator[Line]:
    for text in waiting:
        yield from _marked("+", text, "pass", room, indent)
    waiting.clear()


def _marked(
    mark: str, text: str | None, style: str, room: int | None, indent: str
) -> Iterator[Line]:
    for number, piece in enumerate(_pieces(text or "", room)):
        yield line(indent, Span(f"{mark if number == 0 else ' '} {piece}", style))


def _pieces(text: str, room: int | None) -> list[str]:
    """Cut a line to the room there is, anywhere: nothing of what differs may be hidden."""
    visible = escape(text[:_LONGEST]) + ("..." if len(text) > _LONGEST else "")
    if room is None or cells(visible) <= room:
        return [visible]
    pieces, current, used = list[str](), "", 0
    for char in visible:
        size = cells(char)
        if used + size > room:
            pieces.append(current)
            current, used = "", 0
        current += char
        used += size
    return [*pieces, current]
