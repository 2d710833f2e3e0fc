from __future__ import annotations

import datetime

import attrs

from benchhygiene import Change, Finding, PytestInvocation, Rule, Severity
from benchhygiene.cli.examples import examples
from benchhygiene.evidence import AllowedAction, AsOf, Ledger, LedgerEntry, SourceTree
from benchhygiene.evidence.tree import EntryKind, TreeEntry
from benchhygiene.formats.layout import plain
from benchhygiene.testing import Case, case

QUIET = Rule("acme.quiet", "The run is quiet.", Severity.NOTE)
LOUD = Rule("acme.loud", "The run is loud.", Severity.NOTE)


@attrs.frozen
class Word:
    text: str


@attrs.frozen
class Quiet:
    name = "acme-quiet"
    rules = (QUIET, LOUD)
    consumes = PytestInvocation
    cases: tuple[Case, ...] = ()

    def analyze(self, _evidence: PytestInvocation, /) -> tuple[Finding, ...]:
        return ()


def shown(*cases: Case, rule: Rule = QUIET) -> str:
    return plain(examples(Quiet(cases), rule))


def test_a_violating_and_an_innocent_case_are_shown() -> None:
    files = {"/host/pytest.ini": "[pytest]\naddopts = -q\x1b[2J\n", "/host/ws/a.bin": b"\xff"}
    guilty = PytestInvocation("/host/ws", ("tests", "a b"), {"CI": "x y"}, "8.4.2", files=files)
    innocent = PytestInvocation("/ws")
    assert shown(
        case("host says -q", guilty, reports=[QUIET]),
        case("nobody says -q", innocent, innocent_of=[QUIET]),
    ) == (
        "\n"
        "Reported: host says -q\n"
        "  $ cd /host/ws; CI='x y' python -m pytest tests 'a b'\n"
        "    (pytest 8.4.2, Python 3.11.7)\n"
        "  ../pytest.ini\n"
        "    | [pytest]\n"
        "    | addopts = -q\\x1b[2J\n"
        "  a.bin\n"
        "    | \ufffd\n"
        "\n"
        "Not reported: nobody says -q\n"
        "  $ cd /ws; python -m pytest\n"
        "    (pytest 9.2.0, Python 3.11.7)\n"
    )


def test_only_the_first_case_of_each_kind_is_shown() -> None:
    text = shown(*(case(name, Word("x"), reports=[QUIET]) for name in ("first", "second")))
    assert "Reported: first\n  Word(text='x')\n" in text
    assert "second" not in text


def test_cases_of_other_rules_are_not_shown() -> None:
    assert shown(case("one", Word("x"), reports=[QUIET]), rule=LOUD) == ""


def test_a_long_file_is_cut() -> None:
    files = {"/ws/setup.cfg": "line\n" * 100}
    text = shown(case("long", PytestInvocation("/ws", files=files), reports=[QUIET]))
    assert text.count("    | line\n") == 20
    assert "    | and 80 more lines\n" in text


def test_a_change_is_shown_by_what_differs() -> None:
    old = {"a.py": "x = 1\ny = 2\n", "same.py": "z = 3\n", "gone.py": "1\n", "big.py": "2\n"}
    new = {"a.py": "x = 1\ny = 3\n", "same.py": "z = 3\n"}
    unread = TreeEntry(EntryKind.FILE, error="larger than the limit")
    change = Change(old, SourceTree({**new, "big.py": unread}))
    assert shown(case("an edit", change, reports=[QUIET])) == (
        "\n"
        "Reported: an edit\n"
        "  a.py\n"
        "      x = 1\n"
        "    - y = 2\n"
        "    + y = 3\n"
        "  big.py\n"
        "    in the candidate: larger than the limit\n"
        "  gone.py\n"
        "    - 1\n"
    )


def test_a_ledger_is_shown_by_its_entries() -> None:
    first, last = datetime.date(2026, 9, 1), datetime.date(2026, 9, 30)
    entry = LedgerEntry(
        node_id="t.py::test_a",
        first_seen=first,
        expires=last,
        signature="E: x",
        owner="pat",
        allowed_action=AllowedAction.QUARANTINE,
    )
    evidence = (Ledger((entry,)), AsOf(datetime.date(2026, 10, 1)))
    assert shown(case("late", *evidence, reports=[QUIET])) == (
        "\n"
        "Reported: late\n"
        "  ledger: quarantine t.py::test_a\n"
        "    from 2026-09-01 to 2026-09-30: E: x\n"
        "  as of 2026-10-01\n"
    )


def test_an_analyzer_without_cases_has_no_examples() -> None:
    assert plain(examples(object(), QUIET)) == ""
