"""The report for programs: one JSON document, described by ``report.schema.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from benchhygiene.core.findings import Location, detail, effective_verdict
from benchhygiene.core.json import JSON, fields_to_json, to_json
from benchhygiene.core.report import (
    Completed,
    Crashed,
    Outcome,
    Report,
    ReportedFinding,
    Skipped,
    WaivedFinding,
    WaiverOutcome,
)
from benchhygiene.formats.escape import replace_undecodable

SCHEMA = "benchhygiene.report/1"


def render(report: Report) -> str:
    r"""Return the report as indented ASCII JSON with a newline at the end.

    The same report gives the same bytes. Bytes that were not UTF-8 in a name read ``\xNN``.
    """
    return dump(document(report))


def dump(value: JSON) -> str:
    """Return any JSON the way ``render`` writes it: keys keep their order."""
    text = json.dumps(well_formed(value), indent=2, allow_nan=False)
    return text.replace("\x7f", "\\u007f") + "\n"  # the one control character JSON lets through


def schema() -> JSON:
    """Return the JSON Schema (draft 2020-12) of what ``render`` writes."""
    from importlib import resources  # 10 ms that writing a report need not pay

    source = resources.files("benchhygiene.formats").joinpath("report.schema.json")
    parsed: JSON = json.loads(source.read_text(encoding="utf-8"))
    return parsed


def document(report: Report) -> dict[str, JSON]:
    """Return the report as plain JSON values."""
    return {
        "schema": SCHEMA,
        "verdict": report.verdict.value,
        "findings": [_finding(reported) for reported in report.reported],
        "outcomes": [_outcome(outcome) for outcome in report.outcomes],
        "waived": [_waived(waived) for waived in report.waived],
        "waivers": [_waiver(outcome) for outcome in report.waivers],
        "provenance": to_json(report.provenance),
    }


def _finding(reported: ReportedFinding) -> dict[str, JSON]:
    finding = reported.finding
    found: dict[str, JSON] = {
        "rule": finding.rule.id,
        "analyzer": reported.analyzer,
        "severity": finding.severity.value,
        "verdict": effective_verdict(finding).value,
        "message": finding.message,
        "locations": [_location(location) for location in finding.locations],
        "fingerprint": reported.fingerprint,
    }
    optional: dict[str, JSON] = {
        "old_text": finding.old_text,
        "new_text": finding.new_text,
        "help_uri": finding.rule.help_uri,
        "detail": detail(finding),
    }
    return found | {key: value for key, value in optional.items() if value}


def _location(location: Location) -> dict[str, JSON]:
    return {
        "path": location.path,
        "line": location.line,
        "column": location.column,
        "symbol": location.symbol,
        "symbol_kind": location.symbol_kind.value if location.symbol_kind else None,
        "node_id": location.node_id,
    }


def _outcome(outcome: Outcome) -> dict[str, JSON]:
    return {
        "analyzer": outcome.analyzer,
        "distribution": outcome.distribution,
        "version": outcome.version,
        "required": outcome.required,
        **_state(outcome),
    }


def _state(outcome: Outcome) -> dict[str, JSON]:
    match outcome.state:
        case Completed(exhibits=exhibits):
            return {"outcome": "completed", "exhibits": exhibits}
        case Skipped(reason=reason, missing=missing):
            return {"outcome": "skipped", "reason": reason, "missing": list(missing)}
        case Crashed() as crashed:
            error = {"type": crashed.error, "message": crashed.message, "where": crashed.where}
            return {"outcome": "crashed", "error": error}


def _waived(waived: WaivedFinding) -> dict[str, JSON]:
    return {
        "finding": _finding(waived.reported),
        "reason": waived.reason,
        "approved_by": waived.approved_by,
        "expires": waived.expires.isoformat(),
        "waiver": waived.waiver,
    }


def _waiver(outcome: WaiverOutcome) -> dict[str, JSON]:
    return {
        "waiver": outcome.index,
        "state": outcome.state.value,
        "findings": outcome.findings,
        "lacks_node_id": outcome.lacks_node_id,
        **fields_to_json(outcome.waiver),
    }


def well_formed(value: JSON) -> JSON:
    """Return the value with every text in it made valid Unicode."""
    if isinstance(value, str):
        return replace_undecodable(value)
    if isinstance(value, Mapping):
        return {replace_undecodable(key): well_formed(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [well_formed(item) for item in value]
    return value
