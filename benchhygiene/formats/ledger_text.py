"""Edit the text of a ledger as a person would: an entry goes in or out, all else stays as it is."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Collection, Iterator

import attrs

from benchhygiene.evidence.ledger import AllowedAction, LedgerEntry

_BLANK = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r"\n([ \t]+)\S")
_DECODER = json.JSONDecoder()


@attrs.frozen
class _Entries:
    """Where the list of entries stands in the text, brackets included, and each entry in it."""

    start: int
    end: int
    spans: tuple[tuple[int, int], ...]


def with_entry(text: str, entry: LedgerEntry) -> str:
    """Return the ledger's text with the entry behind all others, laid out as the last one is.

    The text is one that has been read as a ledger before.
    """
    found = _entries(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    if not found.spans:
        indent = _indent(text)
        lead = f"{newline}{indent * 2}"
        told = _rendered(entry, lead, indent)
        inner = f"{lead}{told}{newline}{indent}"
        return f"{text[: found.start]}[{inner}]{text[found.end :]}"
    start, end = found.spans[-1]
    before = found.spans[-2][1] + 1 if len(found.spans) > 1 else found.start + 1
    lead = text[before:start].lstrip(",")
    is_folded = "\n" in text[start:end]
    told = (
        _rendered(entry, lead, _indent(text))
        if is_folded
        else json.dumps(entry_members(entry), ensure_ascii=False)
    )
    return f"{text[:end]},{lead or ' '}{told}{text[end:]}"


def without_entries(text: str, places: Collection[int]) -> str:
    """Return the ledger's text without the entries at these places, counted from 0."""
    found = _entries(text)
    kept = [span for at, span in enumerate(found.spans) if at not in places]
    if len(kept) == len(found.spans):
        return text
    if not kept:
        return f"{text[: found.start]}[]{text[found.end :]}"
    first, last = found.spans[0], found.spans[-1]
    pieces = [text[start:end] for start, end in kept]
    between = [_gap(text, found, span) for span in kept[1:]]
    inner = pieces[0] + "".join(gap + piece for gap, piece in zip(between, pieces[1:], strict=True))
    return text[: first[0]] + inner + text[last[1] :]


def _gap(text: str, found: _Entries, span: tuple[int, int]) -> str:
    """Return what stands before an entry that is not the first: a comma and blanks."""
    at = found.spans.index(span)
    return text[found.spans[at - 1][1] : span[0]]


def _entries(text: str) -> _Entries:
    """Find the list: the text is JSON, an object with the key ``entries`` once."""
    at = _blank(text, 0) + 1
    while True:
        key, at = _DECODER.raw_decode(text, _blank(text, at))
        at = _blank(text, _blank(text, at) + 1)
        if key == "entries":
            spans = tuple(_spans(text, at))
            end = _blank(text, spans[-1][1] if spans else at + 1) + 1
            return _Entries(at, end, spans)
        _, at = _DECODER.raw_decode(text, at)
        at = _blank(text, at) + 1


def _spans(text: str, start: int) -> Iterator[tuple[int, int]]:
    at = _blank(text, start + 1)
    while text[at] != "]":
        _, end = _DECODER.raw_decode(text, at)
        yield at, end
        at = _blank(text, end)
        at = _blank(text, at + 1) if text[at] == "," else at


def _blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()


def _indent(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _rendered(entry: LedgerEntry, lead: str, indent: str) -> str:
    """Return an entry on several lines, each but the first with the blanks that lead to it."""
    told = json.dumps(entry_members(entry), indent=indent, ensure_ascii=False)
    outer = lead if "\n" in lead else "\n"
    return told.replace("\n", outer)


def entry_members(entry: LedgerEntry) -> dict[str, str]:
    """Return an entry as the ledger's JSON has it: in the class's order, without what is None."""
    found: dict[str, str] = {}
    for field in attrs.fields(LedgerEntry):
        value: object = getattr(entry, field.name)
        if isinstance(value, AllowedAction):
            found[field.name] = value.value
        elif isinstance(value, datetime.date):
            found[field.name] = value.isoformat()
        elif isinstance(value, str):
            found[field.name] = value
    return found
