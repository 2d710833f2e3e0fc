from __future__ import annotations

import datetime
import enum
import pickle

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import (
    BaseFinding,
    Finding,
    InputError,
    Location,
    Rule,
    Severity,
    SymbolKind,
    Verdict,
    detail,
    fingerprint,
)
from benchhygiene.core.findings import effective_verdict
from benchhygiene.core.json import to_json
from tests.core.samples import SHOUTED, LineShouted, shout

VERDICTS = st.sampled_from(Verdict)
NUMBERS = st.none() | st.integers(1, 10_000)


@given(st.lists(VERDICTS), st.lists(VERDICTS))
def test_the_worst_verdict_does_not_depend_on_order_or_repetition(
    some: list[Verdict], more: list[Verdict]
) -> None:
    assert Verdict.worst(some + more) is Verdict.worst(more + some + more)


@given(st.lists(VERDICTS, min_size=1), st.lists(VERDICTS, min_size=1))
def test_the_worst_of_two_groups_is_the_worst_of_their_worst(
    some: list[Verdict], more: list[Verdict]
) -> None:
    parts = (Verdict.worst(some), Verdict.worst(more))
    assert Verdict.worst(some + more) is Verdict.worst(parts)
    assert Verdict.worst(parts) in parts


@pytest.mark.parametrize(
    ("verdicts", "worst"),
    [
        ((), Verdict.INCONCLUSIVE),
        ((Verdict.NOT_APPLICABLE,), Verdict.NOT_APPLICABLE),
        ((Verdict.NOT_APPLICABLE, Verdict.PASS), Verdict.PASS),
        ((Verdict.PASS, Verdict.INCONCLUSIVE), Verdict.INCONCLUSIVE),
        ((Verdict.INCONCLUSIVE, Verdict.VIOLATION), Verdict.VIOLATION),
    ],
)
def test_verdicts_are_ordered(verdicts: tuple[Verdict, ...], worst: Verdict) -> None:
    assert Verdict.worst(verdicts) is worst


def test_exit_statuses() -> None:
    assert [verdict.exit_status for verdict in Verdict] == [0, 1, 3, 0]


@pytest.mark.parametrize(
    ("severity", "verdict"),
    [
        (Severity.ERROR, Verdict.VIOLATION),
        (Severity.WARNING, Verdict.PASS),
        (Severity.NOTE, Verdict.PASS),
    ],
)
def test_severity_decides_the_verdict(severity: Severity, verdict: Verdict) -> None:
    rule = Rule("sample.rule", "A rule.", severity)
    assert BaseFinding(rule=rule, message="m").verdict is verdict
    changed = attrs.evolve(BaseFinding(rule=SHOUTED, message="m"), severity=severity)
    assert (changed.severity, changed.verdict) == (severity, verdict)


def test_doubt_stays_doubt_and_only_an_error_violates() -> None:
    doubt = BaseFinding(rule=SHOUTED, message="m", verdict=Verdict.INCONCLUSIVE)
    mild = BaseFinding(
        rule=SHOUTED, message="m", severity=Severity.WARNING, verdict=Verdict.VIOLATION
    )
    assert effective_verdict(doubt) is Verdict.INCONCLUSIVE
    assert effective_verdict(mild) is Verdict.PASS


def test_a_subclass_may_give_the_rule_a_default() -> None:
    finding = shout("a.txt", 3, "NO WAY")
    assert (finding.rule, finding.severity) == (SHOUTED, Severity.ERROR)
    assert isinstance(finding, Finding)
    assert pickle.loads(pickle.dumps(finding)) == finding


def test_detail_is_what_the_subclass_adds() -> None:
    assert detail(shout("a.txt", 3, "NO WAY")) == {"words": ["NO", "WAY"]}
    assert detail(BaseFinding(rule=SHOUTED, message="m", old_text="x")) == {}


class Plain:
    """A finding by shape alone."""

    rule = SHOUTED
    message = "m"
    severity = Severity.NOTE
    verdict = Verdict.PASS
    locations = ()
    old_text = new_text = ""


def test_a_finding_by_shape_has_no_detail_and_a_fingerprint() -> None:
    assert isinstance(Plain(), Finding)
    assert detail(Plain()) == {}
    assert fingerprint(Plain()) == fingerprint(BaseFinding(rule=SHOUTED, message="other"))


@given(NUMBERS, NUMBERS)
def test_a_fingerprint_does_not_know_lines(line: int | None, column: int | None) -> None:
    finding = shout("a.txt", 3, "NO WAY")
    moved = attrs.evolve(
        finding, message=f"line {line} shouts", locations=(Location("a.txt", line, column),)
    )
    assert fingerprint(moved) == fingerprint(finding)


@pytest.mark.parametrize(
    "other",
    [
        shout("b.txt", 3, "NO WAY"),
        shout("a.txt", 3, "NO  WAY"),
        attrs.evolve(shout("a.txt", 3, "NO WAY"), old_text="maybe"),
        attrs.evolve(shout("a.txt", 3, "NO WAY"), old_text="NO WAY", new_text=""),
        attrs.evolve(shout("a.txt", 3, "NO WAY"), rule=Rule("a.b", "s", Severity.ERROR)),
        attrs.evolve(shout("a.txt", 3, "NO WAY"), locations=(Location("a.txt", symbol="x"),)),
        attrs.evolve(shout("a.txt", 3, "NO WAY"), locations=(Location("a\udcff.txt"),)),
    ],
)
def test_a_fingerprint_knows_rule_place_and_texts(other: LineShouted) -> None:
    assert fingerprint(other) != fingerprint(shout("a.txt", 3, "NO WAY"))


def test_a_fingerprint_tells_equals_apart_by_ordinal() -> None:
    finding = shout("a.txt", 3, "NO WAY")
    assert fingerprint(finding, 1) != fingerprint(finding)
    assert fingerprint(finding).startswith("v1:")


def test_a_published_fingerprint_never_changes() -> None:
    """Waivers bind to it: if this fails, the prefix has to become v2."""
    assert fingerprint(shout("a.txt", 3, "NO WAY")) == "v1:d4341423f331a3672dde22db5de591da"


@pytest.mark.parametrize("rule_id", ["shouted", "Sample.shouted", "sample.", "sample.a-b", ""])
def test_a_rule_id_is_family_and_detail(rule_id: str) -> None:
    with pytest.raises(InputError, match="family"):
        Rule(rule_id, "s", Severity.NOTE)


def test_a_rule_leads_to_its_familys_page_unless_told_otherwise() -> None:
    rule = Rule("ini.coverage_gate", "s", Severity.ERROR)
    assert rule.family == "ini"
    assert (rule.help_uri or "").endswith("/rules/ini.html#ini-coverage-gate")
    assert Rule("acme.x", "s", Severity.NOTE, help_uri=None).help_uri is None


@pytest.mark.parametrize(("line", "column"), [(0, None), (1, 0), (-1, 1)])
def test_lines_and_columns_count_from_one(line: int, column: int | None) -> None:
    with pytest.raises(InputError, match="counted from 1"):
        Location("a.txt", line, column)


def test_only_a_node_has_a_node_id() -> None:
    assert Location("t.py", symbol="t.py::t", symbol_kind=SymbolKind.NODE).node_id == "t.py::t"
    assert Location("t.ini", symbol="--cov", symbol_kind=SymbolKind.OPTION).node_id is None


class Shade(enum.StrEnum):
    DARK = "dark"


@attrs.frozen
class Nested:
    shade: Shade
    _secret: int = 0


def test_values_as_plain_json() -> None:
    value = {
        "b": (Nested(Shade.DARK), None, 1.5, True),
        "a": {b"x\xff", b"a"},
        "day": datetime.date(2026, 1, 2),
    }
    plain = to_json(value)
    assert plain == {
        "a": ["a", "x\\xff"],
        "b": [{"shade": "dark"}, None, 1.5, True],
        "day": "2026-01-02",
    }
    assert isinstance(plain, dict)
    assert list(plain) == ["a", "b", "day"]
    assert type(to_json(Shade.DARK)) is str


@pytest.mark.parametrize(
    ("value", "error"),
    [(object(), TypeError), (float("nan"), ValueError), ({1: 2}, TypeError), (1j, TypeError)],
)
def test_what_has_no_json_form(value: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        to_json(value)
