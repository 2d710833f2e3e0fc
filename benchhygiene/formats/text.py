"""The report for people: what was found, where, how to mend it, and what nobody saw."""

from __future__ import annotations

import collections
from collections.abc import Iterator

from benchhygiene.core.findings import (
    Finding,
    Location,
    Severity,
    SymbolKind,
    Verdict,
    effective_verdict,
    place,
)
from benchhygiene.core.report import Completed, Report, ReportedFinding, WaivedFinding
from benchhygiene.formats.edits import edit, is_edit
from benchhygiene.formats.escape import escape
from benchhygiene.formats.excerpts import EditSource, Excerpts, LineSource, excerpt
from benchhygiene.formats.fixes import Fix, fix_of
from benchhygiene.formats.layout import Line, Span, coloured, line, plain, wrap
from benchhygiene.formats.resolution import resolution
from benchhygiene.formats.unseen import unseen

_VERDICT_STYLES = {Verdict.VIOLATION: "error", Verdict.INCONCLUSIVE: "warning"}
_LABELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_UNDECIDED = "undecided"
_ORDER = ("error", _UNDECIDED, "warning", "note")


def render(
    report: Report,
    *,
    excerpts: LineSource | None = None,
    about: tuple[str, ...] = (),
    width: int | None = None,
    colour: bool = False,
) -> str:
    """Return the report as text.

    ``excerpts`` supplies the lines that findings point at; ``about`` is the command that was
    judged, and what else there is to say of it. A width of None never wraps, for pipes; commands
    and excerpts are never wrapped. A finding on an edit shows both texts and its fingerprint.
    """
    lines = _lines(report, excerpts or Excerpts(), about, width)
    return coloured(lines) if colour else plain(lines)


def _lines(
    report: Report, excerpts: LineSource, about: tuple[str, ...], width: int | None
) -> Iterator[Line]:
    yield _headline(report)
    yield from map(line, about[:1])
    for text in about[1:]:
        yield from wrap(text, width, "  ", line())
    yield from _findings(report, excerpts, width)
    yield from _listed("Waived", map(_waived, report.waived), width)
    for outcome in report.outcomes:
        if isinstance(outcome.state, Completed):
            yield from resolution(outcome.state.exhibits, width)
    yield from _unseen(report, width)


def _headline(report: Report) -> Line:
    verdict = report.verdict
    name = verdict.name.replace("_", " ")
    return line(Span(name, _VERDICT_STYLES.get(verdict, "pass")), f"  {_counts(report)}")


def _counts(report: Report) -> str:
    counts = collections.Counter(map(_label, report.findings))
    parts = [_count(counts[label], label) for label in _ORDER if counts[label]]
    if report.waived:
        parts.append(f"{len(report.waived)} waived")
    if parts:
        return ", ".join(parts)
    ran = [outcome.analyzer for outcome in report.outcomes if isinstance(outcome.state, Completed)]
    return f"nothing found by {', '.join(ran)}" if ran else "no analyzer came to an end"


def _count(number: int, label: str) -> str:
    return f"{number} {label}{'s' if number > 1 and label != _UNDECIDED else ''}"


def _label(finding: Finding) -> str:
    undecided = effective_verdict(finding) is Verdict.INCONCLUSIVE
    return _UNDECIDED if undecided else _LABELS[finding.severity]


def _findings(report: Report, excerpts: LineSource, width: int | None) -> Iterator[Line]:
    shown: set[Fix] = set()
    for reported in sorted(report.reported, key=lambda one: _ORDER.index(_label(one.finding))):
        finding = reported.finding
        yield line()
        yield from _finding(finding, excerpts, width)
        yield from _fingerprint(reported)
        fix = fix_of(finding)
        if fix is not None:
            yield from _same_fix() if fix in shown else _fix(fix, width)
            shown.add(fix)


def _finding(finding: Finding, excerpts: LineSource, width: int | None) -> Iterator[Line]:
    label = _label(finding)
    style = "warning" if label == _UNDECIDED else label
    first = finding.locations[0] if finding.locations else None
    place = f"  {_place(first)}" if first else ""
    yield line(Span(label, style), "  ", Span(finding.rule.id, "strong"), place)
    yield from wrap(finding.message, width, "  ")
    if is_edit(finding):
        yield from _edit(finding, excerpts, width)
    elif first is not None:
        yield from _excerpt(first, excerpts, width)
    for related in finding.locations[1:]:
        yield line("  see also  ", _place(related))
        yield from _excerpt(related, excerpts, width)


def _edit(finding: Finding, excerpts: LineSource, width: int | None) -> Iterator[Line]:
    """Yield both texts, and where they are the same, what has changed round them."""
    yield from edit(finding.old_text, finding.new_text, width)
    at = place(finding)
    if finding.old_text != finding.new_text or at.line is None:
        return
    near = excerpts.edit_near(at.path, at.line) if isinstance(excerpts, EditSource) else None
    if near is not None:
        yield line("  unchanged itself; near it:")
        yield from edit(*near, width)


def _fingerprint(reported: ReportedFinding) -> Iterator[Line]:
    """Yield what a waiver is bound by, where the finding is on an edit or on a test."""
    finding = reported.finding
    if is_edit(finding) or place(finding).node_id is not None:
        yield line(Span(f"  fingerprint {reported.fingerprint}", "faint"))


def _waived(waived: WaivedFinding) -> str:
    finding = waived.reported.finding
    where = _place(place(finding))
    return (
        f"{finding.rule.id}  {where}: {finding.message} "
        f"(approved by {waived.approved_by} until {waived.expires}: {waived.reason})"
    )


def _place(location: Location) -> str:
    parts = [location.path, location.line, location.column]
    known = parts[: parts.index(None)] if None in parts else parts
    place = ":".join(map(str, known))
    if location.node_id is not None:
        return location.node_id if location.line is None else f"{place} ({location.node_id})"
    if location.symbol_kind is SymbolKind.TOOL:
        return f"{place} ({location.symbol})"
    return place or location.symbol or "-"


def _excerpt(location: Location, excerpts: LineSource, width: int | None) -> Iterator[Line]:
    if location.line is None:
        return
    text = excerpts.line(location.path, location.line)
    if text is not None:
        yield from excerpt(text, location.line, _column(location, text), width)


def _column(location: Location, text: str) -> int | None:
    """Return where to underline: where the finding says, or else where its option is written."""
    if location.column is None and location.symbol_kind is SymbolKind.OPTION:
        return text.find(location.symbol or "\0") + 1 or None
    return location.column


def _fix(fix: Fix, width: int | None) -> Iterator[Line]:
    yield line("  Run instead:")
    yield line("    ", Span(fix.line, "fix"))
    if escape(fix.line) != fix.line:
        yield line("  (not to be pasted: it holds unprintable characters; JSON has them exactly)")
    if fix.cost:
        yield from wrap(f"Cost: {fix.cost}", width, "  ")


def _same_fix() -> Iterator[Line]:
    yield line("  Run instead: the same command as above")


def _unseen(report: Report, width: int | None) -> Iterator[Line]:
    entries = tuple(unseen(report))
    yield from _listed("Not seen", (e.text for e in entries if not e.is_note), width)
    yield from _listed("Notes", (e.text for e in entries if e.is_note), width)


def _listed(heading: str, texts: Iterator[str], width: int | None) -> Iterator[Line]:
    for number, text in enumerate(texts):
        if number == 0:
            yield line()
            yield line(Span(heading, "strong"))
        yield from wrap(text, width, "    ", line("  "))
