"""The table of what tools declare: a row for each tool, and a count of every hint."""

from __future__ import annotations

import collections
from collections.abc import Iterator, Sequence

from benchhygiene.core.json import JSON
from benchhygiene.evidence.listing import ToolListing
from benchhygiene.formats.layout import Line, Span, cells, line, plain
from benchhygiene.inventory.declarations import HintValue, Listing, ToolDeclaration, listing
from benchhygiene.inventory.declarations.hints import HINTS

_HEADS = ("read-only", "destructive", "idempotent", "open world")
_SHOWN = {HintValue.ABSENT: "-", HintValue.MALFORMED: "malformed"}
_VALUES = (HintValue.TRUE, HintValue.FALSE, HintValue.ABSENT, HintValue.MALFORMED)
_GAP = 2


def text(listings: Sequence[ToolListing], width: int | None) -> str:
    """Return the table of each server, one after another."""
    return plain(each for given in listings for each in _server(given, width))


def _server(given: ToolListing, width: int | None) -> Iterator[Line]:
    read = listing(given.sessions[0]) if given.sessions else Listing()
    yield line(Span(given.server, "strong"))
    rows = [(tool.name, *map(_shown, _values(tool))) for tool in read.tools]
    yield from _table((("tool", *_HEADS), *rows), width)
    faults = len(read.faults) + len(read.pages)
    more = f", and {faults} that could not be read: see mcp lint" if faults else ""
    yield line(f"  {len(read.tools)} tools{more}; true/false/absent/malformed:")
    for name, counts in _counts(read).items():
        yield line(f"    {name:<16}{'/'.join(str(counts[value]) for value in _VALUES)}")
    yield line()


def _values(tool: ToolDeclaration) -> tuple[HintValue, ...]:
    return tuple(tool.hint(name) for name in HINTS)


def _shown(value: HintValue) -> str:
    return _SHOWN.get(value, value.value)


def _table(rows: Sequence[tuple[str, ...]], width: int | None) -> Iterator[Line]:
    others = sum(max(map(cells, column)) + _GAP for column in list(zip(*rows, strict=True))[1:])
    widest = max(cells(row[0]) for row in rows) + _GAP
    room = widest if width is None else max(12, min(widest, width - others - _GAP))
    for row in rows:
        name, *values = row
        cut = name if cells(name) < room else f"{name[: room - 4]}..."
        padded = (
            f"{value:<{len(head) + _GAP}}" for value, head in zip(values, _HEADS, strict=True)
        )
        yield line(f"  {cut}{' ' * (room - cells(cut))}", *padded)


def _counts(read: Listing) -> dict[str, collections.Counter[HintValue]]:
    return {name: collections.Counter(tool.hint(name) for tool in read.tools) for name in HINTS}


def document(listings: Sequence[ToolListing]) -> JSON:
    """Return the same as JSON values: every server with its tools and counts."""
    return {"servers": [_document(given) for given in listings]}


def _document(given: ToolListing) -> JSON:
    read = listing(given.sessions[0]) if given.sessions else Listing()
    return {
        "server": given.server,
        "transport": given.transport.value,
        "tools": [_tool(tool) for tool in read.tools],
        "unreadable": len(read.faults) + len(read.pages),
        "counts": {
            name: {value.value: counts[value] for value in _VALUES}
            for name, counts in _counts(read).items()
        },
    }


def _tool(tool: ToolDeclaration) -> JSON:
    return {
        "name": tool.name,
        "annotations": tool.block.value,
        "hints": {hint.name: hint.value.value for hint in tool.hints},
        "anomalies": [
            {"kind": each.kind.value, "pointer": each.pointer, "values": list(each.values)}
            for each in tool.anomalies
        ],
        "sha256": tool.digest,
    }
