"""The report as SARIF 2.1.0, for code-scanning services and editors (OASIS, errata 01)."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator

from benchhygiene.core.findings import (
    DOCUMENTATION,
    Finding,
    Location,
    Rule,
    Severity,
    SymbolKind,
    Verdict,
    detail,
    effective_verdict,
)
from benchhygiene.core.json import JSON
from benchhygiene.core.report import Report, ReportedFinding, WaivedFinding
from benchhygiene.formats.edits import is_edit
from benchhygiene.formats.fixes import fix_of
from benchhygiene.formats.json import dump
from benchhygiene.formats.unseen import Unseen, unseen

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_BASE = "WORKSPACE"
_LONGEST_TEXT = 500  # characters of an edit in a message; the properties have all
_SYMBOL_KINDS = {SymbolKind.NODE: "function", SymbolKind.TOOL: "function"}


def render(report: Report) -> str:
    """Return the report as one SARIF log with one run; the same report gives the same bytes."""
    return dump(document(report))


def document(report: Report) -> dict[str, JSON]:
    """Return the SARIF log as plain JSON values."""
    rules = _rules(report)
    ids = tuple(rule.id for rule in rules)
    run: dict[str, JSON] = {
        "tool": {"driver": _driver(report, rules)},
        "invocations": [_invocation(report)],
        "originalUriBaseIds": {
            _BASE: {"description": {"text": "The directory that was judged; its place is yours."}}
        },
        "columnKind": "unicodeCodePoints",
        "results": list(_results(report, ids)),
        "properties": {"verdict": report.verdict.value},
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rules(report: Report) -> tuple[Rule, ...]:
    """Return the rules of every analyzer that took part, by id."""
    declared = {rule.id: rule for outcome in report.outcomes for rule in outcome.rules}
    excused = (waived.reported.finding for waived in report.waived)
    used = {finding.rule.id: finding.rule for finding in (*report.findings, *excused)}
    return tuple(rule for _, rule in sorted((declared | used).items()))


def _driver(report: Report, rules: tuple[Rule, ...]) -> dict[str, JSON]:
    return {
        "name": "benchhygiene",
        "version": report.provenance.benchhygiene,
        "informationUri": DOCUMENTATION,
        "rules": [_rule(rule) for rule in rules],
    }


def _rule(rule: Rule) -> dict[str, JSON]:
    described: dict[str, JSON] = {
        "id": rule.id,
        "shortDescription": {"text": rule.summary},
        "help": {"text": _help(rule)},
        "defaultConfiguration": {"level": rule.severity.value},
        "properties": {"tags": list(rule.tags)},
    }
    return described if rule.help_uri is None else described | {"helpUri": rule.help_uri}


def _help(rule: Rule) -> str:
    if rule.help_uri is None:
        return rule.summary
    return f"{rule.summary.removesuffix('.')}. See {rule.help_uri}"


def _results(report: Report, ids: tuple[str, ...]) -> Iterator[JSON]:
    """Yield what was found, then what was waived.

    Either all results of a run say how they are suppressed, be it not at all, or none (3.27.23).
    """
    open_ones = {"suppressions": list[JSON]()} if report.waived or report.waivers else {}
    for reported in report.reported:
        yield _result(reported, ids) | open_ones
    for waived in report.waived:
        yield _result(waived.reported, ids) | {"suppressions": [_suppression(waived)]}


def _suppression(waived: WaivedFinding) -> JSON:
    return {
        "kind": "external",
        "status": "accepted",
        "justification": waived.reason,
        "properties": {
            "approved_by": waived.approved_by,
            "expires": waived.expires.isoformat(),
            "waiver": waived.waiver,
        },
    }


def _result(reported: ReportedFinding, ids: tuple[str, ...]) -> dict[str, JSON]:
    finding = reported.finding
    first, related = finding.locations[:1], finding.locations[1:]
    result: dict[str, JSON] = {
        "ruleId": finding.rule.id,
        "ruleIndex": ids.index(finding.rule.id),
        **_kind(effective_verdict(finding), finding.severity),
        "message": {"text": _message(reported)},
        "locations": [_location(location) for location in first],
        "partialFingerprints": {"benchhygiene/v1": reported.fingerprint},
        "properties": {
            "analyzer": reported.analyzer,
            "detail": detail(finding),
            **_texts(finding),
        },
    }
    if related:
        result["relatedLocations"] = [_location(location) for location in related]
    return result


def _texts(finding: Finding) -> dict[str, JSON]:
    """Return both sides of an edit; SARIF has no place of its own for what was there before."""
    if not is_edit(finding):
        return {}
    return {"old_text": finding.old_text, "new_text": finding.new_text}


def _message(reported: ReportedFinding) -> str:
    """Return the message, the edit and the fix: viewers show nothing but this text."""
    finding = reported.finding
    fix = fix_of(finding)
    old, new = (finding.old_text, finding.new_text) if is_edit(finding) else ("", "")
    parts = (
        finding.message,
        f"Parent: {_shown(old)}" if old else "",
        f"Candidate: {_shown(new)}" if new else "",
        f"Run instead: {fix.line}" if fix else "",
    )
    return "\n".join(filter(None, parts))


def _shown(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}..."


def _kind(verdict: Verdict, severity: Severity) -> dict[str, JSON]:
    """Return kind and level; a level other than none is only for the kind fail (3.27.10)."""
    if verdict is Verdict.INCONCLUSIVE:
        return {"kind": "open", "level": "none"}
    if verdict is Verdict.NOT_APPLICABLE:
        return {"kind": "notApplicable", "level": "none"}
    if verdict is Verdict.PASS and severity is Severity.ERROR:
        return {"kind": "pass", "level": "none"}
    return {"kind": "fail", "level": severity.value}


def _location(location: Location) -> dict[str, JSON]:
    place: dict[str, JSON] = {}
    if location.path:
        place["physicalLocation"] = _physical(location)
    if location.symbol is not None:
        name = {"fullyQualifiedName": location.symbol}
        kind = _SYMBOL_KINDS.get(location.symbol_kind) if location.symbol_kind else None
        place["logicalLocations"] = [name | {"kind": kind} if kind else name]
    return place


def _physical(location: Location) -> dict[str, JSON]:
    physical: dict[str, JSON] = {"artifactLocation": _artifact(location.path)}
    if location.line is not None:
        column = {} if location.column is None else {"startColumn": location.column}
        physical["region"] = {"startLine": location.line, **column}
    return physical


def _artifact(path: str) -> dict[str, JSON]:
    """Return a reference to the file; every byte of a name survives percent-encoding."""
    uri = urllib.parse.quote(path, safe="/", errors="surrogateescape")
    return {"uri": f"file://{uri}"} if path.startswith("/") else {"uri": uri, "uriBaseId": _BASE}


def _invocation(report: Report) -> dict[str, JSON]:
    entries = tuple(unseen(report))
    return {
        "executionSuccessful": not any(entry.kind == "crashed" for entry in entries),
        "exitCode": report.verdict.exit_status,
        "toolExecutionNotifications": [_notify(e) for e in entries if not e.installation],
        "toolConfigurationNotifications": [_notify(e) for e in entries if e.installation],
    }


def _notify(entry: Unseen) -> JSON:
    return {
        "descriptor": {"id": f"benchhygiene/{entry.kind}"},
        "level": entry.severity.value,
        "message": {"text": entry.text},
    }
