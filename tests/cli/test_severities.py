from __future__ import annotations

from collections.abc import Mapping

import attrs
import pytest

from benchhygiene import (
    BaseFinding,
    Completed,
    ConfigurationError,
    Crashed,
    Finding,
    Location,
    Outcome,
    Report,
    Rule,
    Severity,
    Skipped,
    Verdict,
)
from benchhygiene.cli.severities import lower

FAILS = Rule("x.fails", "It fails.", Severity.ERROR)
WARNS = Rule("x.warns", "It warns.", Severity.WARNING)


@attrs.frozen(kw_only=True)
class Detailed(BaseFinding):
    option: str


@attrs.frozen
class Foreign:
    """A finding by shape alone, whose severity nobody can change."""

    rule: Rule = FAILS
    message: str = "strange"
    severity: Severity = Severity.ERROR
    verdict: Verdict = Verdict.VIOLATION
    locations: tuple[Location, ...] = (Location("a"),)
    old_text: str = "old"
    new_text: str = ""


def report(*findings: Finding, crashed: bool = False) -> Report:
    state = Crashed("E", "m", findings=findings) if crashed else Completed(findings)
    skipped = Outcome("b", Skipped("needs Change", ("Change",)))
    return Report((Outcome("a", state, (FAILS, WARNS)), skipped))


def found(severities: Mapping[str, Severity], *findings: Finding) -> tuple[Finding, ...]:
    return lower(report(*findings), severities).findings


def test_a_lowered_error_is_no_violation_and_the_report_says_so() -> None:
    finding = Detailed(rule=FAILS, message="m", option="-x")
    lowered = lower(report(finding, finding), {"x.fails": Severity.NOTE})
    assert lowered.verdict is Verdict.PASS
    assert lowered.of(Detailed) == (attrs.evolve(finding, severity=Severity.NOTE),) * 2
    assert lowered.provenance.notes == (
        "configuration lowers x.fails to note (findings changed: 2)",
    )


def test_other_rules_keep_their_severity() -> None:
    finding = BaseFinding(rule=FAILS, message="m")
    assert found({"x.warns": Severity.NOTE}, finding) == (finding,)


def test_a_rule_that_found_nothing_is_named_all_the_same() -> None:
    lowered = lower(report(), {"x.warns": Severity.NOTE})
    assert lowered.provenance.notes == (
        "configuration lowers x.warns to note (findings changed: 0)",
    )


def test_a_finding_milder_than_its_rule_is_not_raised() -> None:
    mild = BaseFinding(rule=FAILS, message="m", severity=Severity.NOTE)
    assert found({"x.fails": Severity.WARNING}, mild) == (mild,)


def test_a_finding_more_severe_than_its_rule_is_lowered() -> None:
    (finding,) = found(
        {"x.warns": Severity.WARNING},
        BaseFinding(rule=WARNS, message="m", severity=Severity.ERROR),
    )
    assert finding.severity is Severity.WARNING


def test_doubt_stays_doubt() -> None:
    doubt = BaseFinding(rule=FAILS, message="m", verdict=Verdict.INCONCLUSIVE)
    assert lower(report(doubt), {"x.fails": Severity.NOTE}).verdict is Verdict.INCONCLUSIVE


def test_findings_before_a_crash_are_lowered_too() -> None:
    finding = BaseFinding(rule=FAILS, message="m")
    lowered = lower(report(finding, crashed=True), {"x.fails": Severity.NOTE})
    assert lowered.findings[0].severity is Severity.NOTE
    assert lowered.verdict is Verdict.INCONCLUSIVE


def test_a_foreign_finding_keeps_what_it_says() -> None:
    (finding,) = found({"x.fails": Severity.WARNING}, Foreign())
    assert finding.severity is Severity.WARNING
    assert (finding.message, finding.locations) == ("strange", (Location("a"),))
    assert (finding.old_text, finding.rule) == ("old", FAILS)
    assert lower(report(Foreign()), {"x.fails": Severity.NOTE}).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("severities", "says"),
    [
        ({"x.warns": Severity.ERROR}, "x.warns is of severity warning.*not raised to error"),
        ({"x.fail": Severity.NOTE}, "no analyzer that ran has a rule 'x.fail'; .*'x.fails'"),
        ({"q": Severity.NOTE}, "has a rule 'q'$"),
    ],
)
def test_only_known_rules_can_be_lowered(severities: dict[str, Severity], says: str) -> None:
    with pytest.raises(ConfigurationError, match=says):
        lower(report(), severities)
