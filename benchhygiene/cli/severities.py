"""Lower the severity of rules as trusted configuration says, and say so in the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.core.findings import BaseFinding, Finding, Rule, Severity
from benchhygiene.core.report import Completed, Crashed, Outcome, Report
from benchhygiene.errors import ConfigurationError

_RANK = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


def lower(report: Report, severities: Mapping[str, Severity]) -> Report:
    """Return the report with the findings of these rules at most as severe as given.

    A note in the provenance names every rule that was lowered. Raises ConfigurationError for a rule
    that no analyzer has, and for a severity above the rule's own.
    """
    _require_lowering(report, severities)
    outcomes = tuple(_lower_outcome(outcome, severities) for outcome in report.outcomes)
    notes = (*report.provenance.notes, *_notes(report, severities))
    provenance = attrs.evolve(report.provenance, notes=notes)
    return attrs.evolve(report, outcomes=outcomes, provenance=provenance)


def _require_lowering(report: Report, severities: Mapping[str, Severity]) -> None:
    rules = {rule.id: rule for outcome in report.outcomes for rule in outcome.rules}
    for name, severity in sorted(severities.items()):
        if name not in rules:
            import difflib  # only for a mistyped name

            close = difflib.get_close_matches(name, sorted(rules), 1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ConfigurationError(f"severity: no analyzer that ran has a rule {name!r}{hint}")
        _require_below(rules[name], severity)


def _require_below(rule: Rule, severity: Severity) -> None:
    if _RANK[severity] > _RANK[rule.severity]:
        raise ConfigurationError(
            f"severity: {rule.id} is of severity {rule.severity.value}, "
            f"which can be lowered but not raised to {severity.value}"
        )


def _notes(report: Report, severities: Mapping[str, Severity]) -> Iterator[str]:
    for name, severity in sorted(severities.items()):
        changed = sum(
            _is_lowered(finding, severities)
            for finding in report.findings
            if finding.rule.id == name
        )
        yield f"configuration lowers {name} to {severity.value} (findings changed: {changed})"


def _lower_outcome(outcome: Outcome, severities: Mapping[str, Severity]) -> Outcome:
    match outcome.state:
        case (Completed() | Crashed()) as state:
            findings = tuple(_lower_finding(finding, severities) for finding in state.findings)
            return attrs.evolve(outcome, state=attrs.evolve(state, findings=findings))
        case _:
            return outcome


def _is_lowered(finding: Finding, severities: Mapping[str, Severity]) -> bool:
    given = severities.get(finding.rule.id, finding.severity)
    return _RANK[given] < _RANK[finding.severity]


def _lower_finding(finding: Finding, severities: Mapping[str, Severity]) -> Finding:
    if not _is_lowered(finding, severities):
        return finding
    severity = severities[finding.rule.id]
    if isinstance(finding, BaseFinding):
        return attrs.evolve(finding, severity=severity)
    return BaseFinding(  # a class of somebody else's, which need not know how to be changed
        rule=finding.rule,
        message=finding.message,
        locations=finding.locations,
        severity=severity,
        verdict=finding.verdict,
        old_text=finding.old_text,
        new_text=finding.new_text,
    )
