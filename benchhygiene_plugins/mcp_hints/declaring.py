"""What is wrong with the declarations of one session."""

from __future__ import annotations

import collections
import re
from collections.abc import Iterator

from benchhygiene import BaseFinding, Rule
from benchhygiene.evidence.listing import ListingEnd, ListingSession, ToolListing, Transport
from benchhygiene.inventory.declarations import (
    Anomaly,
    AnomalyKind,
    HintValue,
    Listing,
    ToolDeclaration,
)
from benchhygiene.inventory.declarations.hints import HINTS, meant
from benchhygiene_plugins.mcp_hints import findings
from benchhygiene_plugins.mcp_hints.coherence import belied, contradictions
from benchhygiene_plugins.mcp_hints.schemas import schema_faults
from benchhygiene_plugins.mcp_hints.sdk import SdkView, differs, views

_NAME = re.compile(r"[A-Za-z0-9_.\-]{1,128}")
_MOST_NOISE = 5
_MOST_SHOWN = 200
_CONTRADICTIONS = {
    "read_only_and_destructive": "is declared read-only and destructive",
    "read_only_not_idempotent": "is declared read-only and not idempotent",
}
_ANOMALIES = {
    AnomalyKind.DUPLICATE_KEY: (findings.DUPLICATE_KEY, "stands {count} times"),
    AnomalyKind.NULL_HINT: (findings.MALFORMED_HINT, "is null, which is neither true nor false"),
    AnomalyKind.NON_BOOLEAN_HINT: (findings.MALFORMED_HINT, "is neither true nor false"),
    AnomalyKind.ANNOTATIONS_NOT_OBJECT: (findings.MALFORMED_ANNOTATIONS, "is no object"),
}


def of_session(server: str, session: ListingSession, read: Listing) -> Iterator[BaseFinding]:
    """Yield what is wrong around the tools of a session: its end, and its pages."""
    if session.end is not ListingEnd.COMPLETE:
        detail = f": {session.detail}" if session.detail else ""
        message = f"session {session.number}: the listing ended early ({session.end.value}){detail}"
        yield findings.fault(findings.UNFINISHED, message, server=server, is_doubt=True)
    for page in read.pages:
        message = f"session {session.number}, page {page.page + 1} {page.reason}"
        yield findings.fault(findings.MALFORMED_PAGE, message, server=server)
    for number, twice in read.duplicates:
        message = f"page {number + 1}: the key {twice.key} stands {len(twice.values)} times"
        pointer = f"{twice.pointer}/{twice.key}"
        yield findings.fault(findings.DUPLICATE_KEY, message, server=server, pointer=pointer)


def of_noise(given: ToolListing) -> Iterator[BaseFinding]:
    """Yield what the server sent beside its messages, each line once."""
    lines = dict.fromkeys(line for session in given.sessions for line in session.noise)
    where = "its event stream" if given.transport is Transport.HTTP else "standard output"
    message = f"{where} holds what is no message, and clients may close the connection over it"
    advice = "" if given.transport is Transport.HTTP else ": log to standard error"
    for line in list(lines)[:_MOST_NOISE]:
        text = line[:_MOST_SHOWN]
        yield findings.fault(findings.NOISE, message + advice, server=given.server, text=text)


def of_entries(server: str, read: Listing) -> Iterator[BaseFinding]:
    """Yield what is wrong with the list: entries that are no tool, and tools that stand twice."""
    for entry in read.faults:
        message = f"page {entry.page + 1}, tools[{entry.index}] {entry.reason}"
        yield findings.fault(findings.MALFORMED_ENTRY, message, server=server, text=entry.text)
    for name, tools in read.by_name().items():
        if len(tools) > 1:
            alike = "alike" if len({tool.digest for tool in tools}) == 1 else "differently"
            message = f"{name} is declared {len(tools)} times, {alike}"
            yield findings.fault(findings.DUPLICATE_TOOL, message, server=server, tool=name)


def of_tool(server: str, tool: ToolDeclaration) -> Iterator[BaseFinding]:
    """Yield what is wrong with one declaration, whatever the others say."""
    for anomaly in tool.anomalies:
        yield _anomalous(server, tool, anomaly)
    for twice in tool.duplicates:
        pointer = f"{twice.pointer}/{twice.key}"
        message = f"{tool.name}: {pointer} stands {len(twice.values)} times"
        text = " ".join(twice.values)
        yield _about(server, tool, findings.DUPLICATE_KEY, message, pointer, text)
    for each in schema_faults(tool):
        message = f"{tool.name}: {each.member} {each.reason}"
        yield findings.fault(
            findings.SCHEMA,
            message,
            server=server,
            tool=tool.name,
            pointer=f"/{each.member}",
            is_doubt=each.is_doubt,
        )
    yield from _named(server, tool)
    yield from _parsed(server, tool)


def _about(
    server: str, tool: ToolDeclaration, rule: Rule, message: str, pointer: str = "", text: str = ""
) -> BaseFinding:
    return findings.fault(
        rule, message, server=server, tool=tool.name, pointer=pointer, text=text[:_MOST_SHOWN]
    )


def _anomalous(server: str, tool: ToolDeclaration, anomaly: Anomaly) -> BaseFinding:
    text = " ".join(anomaly.values)
    if anomaly.kind in _ANOMALIES:
        rule, says = _ANOMALIES[anomaly.kind]
        said = says.format(count=len(anomaly.values))
        message = f"{tool.name}: {anomaly.pointer} {said}: {text}"
        return _about(server, tool, rule, message[:_MOST_SHOWN], anomaly.pointer, text)
    hint = meant(anomaly.key) or anomaly.key
    message = f"{tool.name}: {anomaly.pointer} is no hint: write annotations.{hint}"
    return _about(server, tool, findings.MISPLACED_HINT, message, anomaly.pointer, text)


def _named(server: str, tool: ToolDeclaration) -> Iterator[BaseFinding]:
    if _NAME.fullmatch(tool.name) is None:
        message = (
            f"{tool.name[:_MOST_SHOWN]!r}: a name has 1 to 128 of the characters A-Z a-z 0-9 _ - ."
        )
        yield _about(server, tool, findings.NAME, message, "/name")
    for kind in contradictions(tool):
        message = f"{tool.name} {_CONTRADICTIONS[kind]}"
        yield _about(server, tool, findings.INCOHERENT, message, "/annotations")
    contradicted = belied(tool)
    if contradicted is not None:
        hint, verb = contradicted
        value = tool.hint(hint).value
        message = f"{tool.name} declares {hint} {value}, and is named after {verb!r}"
        yield _about(server, tool, findings.BELIED, message, f"/annotations/{hint}")


def _parsed(server: str, tool: ToolDeclaration) -> Iterator[BaseFinding]:
    """Yield what models hold instead of the text, once for all that hold the same."""
    held: dict[str, list[str]] = {}
    for view in views(tool):
        if differs(tool, view):
            held.setdefault(_held(tool, view), []).append(view.sdk.value)
    for said, sdks in held.items():
        message = f"{tool.name}: {' and '.join(sdks)} {said}"
        yield _about(server, tool, findings.PARSED_OTHERWISE, message)


def _held(tool: ToolDeclaration, view: SdkView) -> str:
    if view.hints is None:
        return "would refuse the whole listing over this tool"
    said = {hint.name: hint.value for hint in tool.hints}
    parts = [
        f"{name} as {'absent' if value is None else str(value).lower()}"
        for name, value in view.hints
        if said[name] is HintValue.MALFORMED
        or (value is not None and said[name] is HintValue.ABSENT)
    ]
    return f"would read {', '.join(parts)}"


def of_silence(server: str, read: Listing) -> Iterator[BaseFinding]:
    """Yield one note that counts the hints nobody declared."""
    counts = collections.Counter(
        hint.name for tool in read.tools for hint in tool.hints if hint.value is HintValue.ABSENT
    )
    if counts:
        said = ", ".join(f"{name} by {counts[name]}" for name in HINTS if counts[name])
        message = f"of {len(read.tools)} tools, not declared are {said}"
        yield findings.fault(findings.UNDECLARED, message, server=server)
