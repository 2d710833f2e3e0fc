"""The decision table is a pure function of a report and a run."""

from __future__ import annotations

import datetime

import attrs
import pytest

from benchhygiene import (
    BaseFinding,
    Completed,
    Finding,
    Ledger,
    Location,
    NodeEnd,
    NodeRun,
    Outcome,
    Registry,
    Report,
    Rule,
    Severity,
    Skipped,
    SuiteRun,
    Verdict,
)
from benchhygiene.core.score import Row, refused, row_of, score

DAY = datetime.date(2026, 12, 1)
RUN = SuiteRun(origin="t", nodes=(NodeRun(node_id="t.py::a", end=NodeEnd.PASSED),))


def finding(rule: str, severity: Severity = Severity.ERROR, **more: Verdict) -> BaseFinding:
    return BaseFinding(
        rule=Rule(rule, rule, severity), message=rule, locations=(Location("t.py"),), **more
    )


def report(*found: Finding) -> Report:
    return Report((Outcome("a", Completed(found)),))


def rows(*found: Finding, run: SuiteRun | None = RUN) -> list[Row]:
    return [each.row for each in score(report(*found), run, None, DAY).decisions]


@pytest.mark.parametrize(
    ("rule", "row"),
    [
        ("pack.signature", Row.PACK),
        ("pack.tampered", Row.SURFACE),
        ("run.canary", Row.RUN),
        ("run.regression", Row.REGRESSION),
        ("run.budget_unmet", Row.BUDGET),
        ("assert.removed", Row.SURFACE),
        ("acme.unheard_of", Row.SURFACE),
        ("property.max_examples_lowered", Row.BUDGET),
        ("ledger.still_flaky", Row.EXPIRED),
        ("ledger.unknown_shape", Row.REGRESSION),
    ],
)
def test_a_violation_has_its_row(rule: str, row: Row) -> None:
    assert rows(finding(rule)) == [row]


def test_the_first_row_of_the_table_decides_and_the_others_are_said() -> None:
    found = (finding("run.regression"), finding("run.canary"), finding("assert.removed"))
    assert rows(*found) == [Row.RUN, Row.SURFACE, Row.REGRESSION]


def test_a_strangers_rule_names_its_row_by_a_tag() -> None:
    rule = Rule("acme.slow", "slow", Severity.ERROR, tags=("score:budget",))
    assert row_of(rule) is Row.BUDGET


@pytest.mark.parametrize(
    ("rule", "severity", "row"),
    [
        ("config.changed", Severity.WARNING, Row.SURFACE),
        ("fixture.bytes_changed", Severity.WARNING, Row.SURFACE),
        ("config.changed", Severity.NOTE, Row.CLEAN),
        ("surface.unwitnessed", Severity.WARNING, Row.CLEAN),
        ("pack.stale", Severity.WARNING, Row.CLEAN),
    ],
)
def test_a_warning_fails_where_nothing_may_change(rule: str, severity: Severity, row: Row) -> None:
    assert rows(finding(rule, severity)) == [row]


def test_doubt_is_never_a_pass() -> None:
    assert rows(finding("assert.removed", verdict=Verdict.INCONCLUSIVE)) == [Row.UNDECIDED]
    assert rows(run=None) == [Row.UNDECIDED]
    assert rows(run=SuiteRun(origin="t")) == [Row.UNDECIDED]
    missing = Report((Outcome("a", Skipped("not installed"), required=True),))
    assert score(missing, RUN, None, DAY).verdict is Verdict.INCONCLUSIVE


def test_doubt_does_not_hide_a_failure() -> None:
    doubt = finding("assert.removed", verdict=Verdict.INCONCLUSIVE)
    assert rows(finding("run.regression"), doubt) == [Row.REGRESSION, Row.UNDECIDED]


def test_a_refused_pack_says_nothing_else() -> None:
    found = refused()
    assert (found.verdict, found.row, found.scored) == (Verdict.VIOLATION, Row.PACK, 0)


def test_every_error_of_ours_has_a_row_that_fails() -> None:
    rules = [rule for plugin in Registry.discover() for rule in plugin.load().rules]
    assert {row_of(rule) for rule in rules} <= {*Row} - {Row.CLEAN, Row.UNDECIDED}


def test_nodes_are_counted_without_what_the_ledger_keeps_out() -> None:
    runs = (
        NodeRun(node_id="t.py::a", end=NodeEnd.PASSED),
        NodeRun(node_id="t.py::b", end=NodeEnd.SKIPPED),
    )
    found = score(report(), attrs.evolve(RUN, nodes=runs), Ledger(), DAY)
    assert (found.passed, found.scored, found.omitted) == (1, 2, ())
