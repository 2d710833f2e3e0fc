from __future__ import annotations

import sys

import attrs
import pytest

from benchhygiene import (
    AnalyzerCrashed,
    BaseFinding,
    Completed,
    Crashed,
    Location,
    MissingExtra,
    Outcome,
    Report,
    Rule,
    Severity,
    Skipped,
    SymbolKind,
    Verdict,
)
from benchhygiene.core.report import COLUMNS
from tests.core.samples import EMPTY, SHOUTED, LineShouted, shout

ERROR = shout("b.txt", 2, "NO WAY")
NOTE = BaseFinding(rule=EMPTY, message="nothing here", locations=(Location("a.txt"),))
DOUBT = attrs.evolve(ERROR, verdict=Verdict.INCONCLUSIVE)
NOTHING_TO_JUDGE = attrs.evolve(NOTE, verdict=Verdict.NOT_APPLICABLE)
SKIPPED = Skipped("needs Text", ("Text",))
CRASHED = Crashed("ValueError", "bad", "sample:3", (NOTE,))


@pytest.mark.parametrize(
    ("states", "verdict"),
    [
        ((), Verdict.INCONCLUSIVE),
        ((Completed(),), Verdict.PASS),
        ((Completed((NOTE,)),), Verdict.PASS),
        ((Completed((ERROR,)),), Verdict.VIOLATION),
        ((Completed((attrs.evolve(ERROR, severity=Severity.WARNING),)),), Verdict.PASS),
        ((Completed((DOUBT, NOTE)),), Verdict.INCONCLUSIVE),
        ((Completed((DOUBT, ERROR)),), Verdict.VIOLATION),
        ((Completed((NOTHING_TO_JUDGE,)),), Verdict.NOT_APPLICABLE),
        ((Completed((NOTHING_TO_JUDGE,)), Completed()), Verdict.PASS),
        ((SKIPPED,), Verdict.INCONCLUSIVE),
        ((SKIPPED, Completed()), Verdict.PASS),
        ((CRASHED, Completed()), Verdict.INCONCLUSIVE),
        ((attrs.evolve(CRASHED, findings=(ERROR,)),), Verdict.VIOLATION),
    ],
)
def test_the_verdict_is_the_worst_outcome(
    states: tuple[Completed | Skipped | Crashed, ...], verdict: Verdict
) -> None:
    outcomes = (Outcome(f"analyzer-{n}", state) for n, state in enumerate(states))
    assert Report(tuple(outcomes)).verdict is verdict


def test_a_required_skip_is_inconclusive() -> None:
    skipped = Outcome("a", SKIPPED, required=True)
    assert Report((skipped, Outcome("b", Completed()))).verdict is Verdict.INCONCLUSIVE
    violated = Report((skipped, Outcome("b", Completed((ERROR,)))))
    assert violated.verdict is Verdict.VIOLATION


def test_outcomes_are_ordered_by_analyzer() -> None:
    report = Report((Outcome("b", Completed()), Outcome("c", SKIPPED), Outcome("a", CRASHED)))
    assert [outcome.analyzer for outcome in report.outcomes] == ["a", "b", "c"]


def test_findings_are_ordered_by_place_and_typed_by_class() -> None:
    later = shout("b.txt", 10, "NO")
    report = Report((Outcome("z", Completed((later, ERROR))), Outcome("a", Completed((NOTE,)))))
    assert report.findings == (NOTE, ERROR, later)
    assert [found.words for found in report.of(LineShouted)] == [("NO", "WAY"), ("NO",)]
    assert [reported.analyzer for reported in report.reported] == ["a", "z", "z"]


@attrs.frozen(kw_only=True)
class Counted(BaseFinding):
    count: int
    parts: tuple[str, ...] = ()


def test_rows_are_flat() -> None:
    place = Location("t.py", 3, 5, "t.py::t", SymbolKind.NODE)
    counted = Counted(rule=SHOUTED, message="m", locations=(place,), count=2, parts=("x",))
    (row,) = Report((Outcome("a", Completed((counted,))),)).rows()
    assert row == {
        "analyzer": "a",
        "rule": "sample.shouted",
        "severity": "error",
        "verdict": "violation",
        "message": "m",
        "path": "t.py",
        "line": 3,
        "column": 5,
        "symbol": "t.py::t",
        "symbol_kind": "node",
        "fingerprint": row["fingerprint"],
        "detail.count": 2,
    }


def test_a_frame_has_every_column_even_without_rows() -> None:
    assert list(Report().to_pandas().columns) == list(COLUMNS)
    frame = Report((Outcome("a", Completed((NOTE, ERROR))),)).to_pandas()
    assert frame["path"].tolist() == ["a.txt", "b.txt"]
    assert frame["severity"].value_counts().to_dict() == {"note": 1, "error": 1}


def test_without_pandas_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"benchhygiene\[notebook\]"):
        Report().to_pandas()


def test_crashes_are_raised_on_demand() -> None:
    report = Report((Outcome("good", Completed()), Outcome("bad", CRASHED)))
    with pytest.raises(AnalyzerCrashed, match=r"^bad: ValueError: bad \(in sample:3\)$"):
        report.raise_for_crashes()
    Report((Outcome("good", Completed()),)).raise_for_crashes()


def test_a_crash_keeps_its_findings_in_the_report() -> None:
    report = Report((Outcome("bad", CRASHED),))
    assert report.findings == (NOTE,)
    assert Report((Outcome("skipped", SKIPPED),)).findings == ()


def test_a_rule_may_have_no_page() -> None:
    assert Rule("acme.x", "s", Severity.NOTE, help_uri=None).tags == ()


def test_who_answers_another_question_leaves_no_gap() -> None:
    elsewhere = Outcome("a", attrs.evolve(SKIPPED, unasked=True))
    partly = Outcome("b", SKIPPED)
    crashed, ended = Outcome("c", CRASHED), Outcome("d", Completed())
    assert Report((elsewhere, partly, crashed, ended)).gaps == (partly, crashed)
    assert Report((attrs.evolve(elsewhere, required=True), ended)).gaps != ()
    assert Report((elsewhere,)).gaps == (elsewhere,)
