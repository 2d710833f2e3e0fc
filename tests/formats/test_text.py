from __future__ import annotations

import attrs
import pytest

from benchhygiene import (
    BaseFinding,
    Crashed,
    FileSnapshot,
    Finding,
    Location,
    Outcome,
    Report,
    Rule,
    Severity,
    Skipped,
    SymbolKind,
    Verdict,
)
from benchhygiene.formats import text
from benchhygiene.formats.excerpts import Excerpts
from benchhygiene.formats.layout import cells
from tests.formats.reports import COMMAND, EXHIBITS, GATE, ORDER, everything, gate, ini_chain

PYPROJECT = '[tool.pytest.ini_options]\naddopts = "--cov=harness --cov-fail-under=80"\n'
EXCERPTS = Excerpts(FileSnapshot({"/host/pyproject.toml": PYPROJECT}), "/host/attempts/7")


def test_a_violation_reads_from_verdict_to_fix() -> None:
    shown = text.render(
        Report((ini_chain(gate(), exhibits=None),)),
        excerpts=EXCERPTS,
        about=("python -m pytest", "predicted"),
    )
    assert shown == (
        "VIOLATION  1 error\n"
        "python -m pytest\n"
        "predicted\n"
        "\n"
        "error  ini.coverage_gate  ../../pyproject.toml:2:26\n"
        "  --cov-fail-under=80 fails a passing suite below 80 %\n"
        '     2 | addopts = "--cov=harness --cov-fail-under=80"\n'
        "       |                          ^^^^^^^^^^^^^^^^^^^\n"
        "  see also  tests/test_a.py::test_a\n"
        "  Run instead:\n"
        "    python -m pytest -o addopts= tests\n"
        "  Cost: nothing else was in addopts\n"
    )


def test_the_chain_says_why_this_file() -> None:
    shown = text.render(Report((ini_chain(),)))
    assert shown == (
        "PASS  nothing found by ini-chain\n"
        "\n"
        "Why this configuration\n"
        "  setup.cfg             lost     has no [tool:pytest]\n"
        "  ../../pyproject.toml  won      the first with a table\n"
        "  rootdir:      ../..\n"
        "  config file:  ../../pyproject.toml\n"
        "  pytest reads: --cov=harness --cov-fail-under=80 tests\n"
        "  if all pass:  the exit status cannot be known\n"
    )


@pytest.mark.parametrize(("fails", "says"), [(True, "failure"), (False, "success")])
def test_what_becomes_of_a_good_suite_is_said(fails: bool, says: str) -> None:
    exhibits = EXHIBITS | {"fails_passing_suite": fails, "unknown": []}
    assert f"  if all pass:  the exit status says {says}\n" in text.render(
        Report((ini_chain(exhibits=exhibits),))
    )


def test_an_abort_and_an_undecided_rootdir_are_said() -> None:
    abort = {"exit": 4, "reason": "unrecognized arguments: --nope"}
    exhibits = EXHIBITS | {"abort": abort, "rootdir": None, "chain": []}
    shown = text.render(Report((ini_chain(exhibits=exhibits),)))
    assert "  rootdir:      -\n" in shown
    assert "  pytest stops before it looks\n" in shown
    stops = "  stops:        before any test with exit status 4: unrecognized arguments: --nope\n"
    assert stops in shown


def test_an_empty_chain_says_that_nothing_is_in_reach() -> None:
    shown = text.render(Report((ini_chain(exhibits=EXHIBITS | {"chain": []}),)))
    assert "  no configuration file is in reach\n" in shown


@pytest.mark.parametrize(
    ("number", "shown"), [(2, "c0.py c1.py\n"), (14, "c10.py c11.py and 2 more\n")]
)
def test_the_conftests_that_load_are_listed(number: int, shown: str) -> None:
    exhibits = EXHIBITS | {"conftests": [f"c{n}.py" for n in range(number)]}
    lines = text.render(Report((ini_chain(exhibits=exhibits),)))
    assert "\n  conftests:    c0.py c1.py" in lines
    assert shown in lines


def test_a_long_chain_is_counted_not_listed() -> None:
    link = {"path": "a/setup.cfg", "outcome": "ignored", "reason": "no section"}
    shown = text.render(Report((ini_chain(exhibits=EXHIBITS | {"chain": [link] * 1000}),)))
    assert shown.count("a/setup.cfg") == 12
    assert "  and 988 more\n" in shown


def test_errors_come_first_and_are_counted() -> None:
    note = BaseFinding(rule=ORDER, message="note")
    doubt = gate(verdict=Verdict.INCONCLUSIVE, locations=(Location("a.ini"),))
    shown = text.render(Report((ini_chain(note, gate(), doubt, gate(value="90")),)))
    assert shown.startswith("VIOLATION  2 errors, 1 undecided, 1 note\n")
    heads = [line for line in shown.splitlines() if line.startswith(("err", "und", "note"))]
    assert [head.split()[0] for head in heads] == ["error", "error", "undecided", "note"]


def test_one_command_for_several_findings_is_written_once() -> None:
    shown = text.render(Report((ini_chain(gate(), gate(value="90")),)))
    assert shown.count(COMMAND.shell) == 1
    assert "Run instead: the same command as above\n" in shown


def test_anything_with_a_fix_shows_it() -> None:
    @attrs.frozen(kw_only=True)
    class Mendable(BaseFinding):
        @property
        def fix(self) -> str:
            return "rm conftest.py"

    shown = text.render(Report((ini_chain(Mendable(rule=GATE, message="m")),)))
    assert "  Run instead:\n    rm conftest.py\n" in shown


def test_a_command_that_cannot_be_pasted_says_so() -> None:
    hostile = attrs.evolve(COMMAND, shell="pytest 'a\x1bb'")
    shown = text.render(Report((ini_chain(gate(corrected_command=hostile)),)))
    assert "    pytest 'a\\x1bb'\n  (not to be pasted:" in shown
    assert "(not to be pasted:" not in text.render(Report((ini_chain(gate()),)))


@pytest.mark.parametrize(
    ("outcomes", "head", "unseen"),
    [
        ((), "INCONCLUSIVE  no analyzer came to an end\n", ""),
        (
            (Outcome("a", Crashed("ValueError", "no", "m:1")),),
            "INCONCLUSIVE  no analyzer came to an end\n",
            "  a crashed: ValueError: no (in m:1)\n",
        ),
        (
            (Outcome("a", Skipped("needs Change", ("Change",)), required=True), ini_chain()),
            "INCONCLUSIVE  nothing found by ini-chain\n",
            "  a was skipped although it is required: needs Change\n",
        ),
        (
            (Outcome("a", Skipped("needs Change", ("Change",))), ini_chain()),
            "PASS  nothing found by ini-chain\n",
            "  a was skipped: needs Change\n",
        ),
    ],
)
def test_what_was_not_seen_is_said(outcomes: tuple[Outcome, ...], head: str, unseen: str) -> None:
    shown = text.render(Report(outcomes))
    assert shown.startswith(head)
    assert unseen in shown


def test_refused_plugins_and_notes_are_said() -> None:
    shown = text.render(everything())
    unseen, notes = shown.partition("\nNot seen\n")[2].split("\n\nNotes\n")
    assert "  evil\\n (planted) was not loaded: lies outside" in unseen
    assert notes.endswith("\n  something to know\n")


@pytest.mark.parametrize("width", [None, 40, 80, 200])
@pytest.mark.parametrize("colour", [False, True])
def test_nothing_hostile_reaches_the_terminal(width: int | None, colour: bool) -> None:
    shown = text.render(everything(), width=width, colour=colour)
    shown.encode("utf-8")
    for line in shown.split("\n"):
        without_colour = line.replace("\x1b[", "") if colour else line
        assert without_colour.isprintable()
    assert "\x1b[2J" not in shown
    assert "\x1b[31m\udcff" not in shown


@pytest.mark.parametrize("width", [60, 100])
def test_only_what_must_stay_whole_exceeds_the_width(width: int) -> None:
    message = "word " * 60
    shown = text.render(Report((ini_chain(gate(message=message)),)), width=width)
    wide = [line.strip() for line in shown.splitlines() if cells(line) > width]
    assert all(line.startswith(("python -m", "error")) for line in wide)


def test_a_file_the_evidence_does_not_hold_has_no_excerpt() -> None:
    finding: Finding = gate(locations=(Location("gone.ini", 3, 1),))
    shown = text.render(Report((ini_chain(finding),)), excerpts=EXCERPTS)
    assert "gone.ini:3:1\n" in shown
    assert " | " not in shown


@pytest.mark.parametrize(
    ("location", "place"),
    [
        (Location("a.ini"), "a.ini"),
        (Location("a.ini", 3), "a.ini:3"),
        (Location("a.ini", None, 4), "a.ini"),
        (Location("", symbol="PYTEST_ADDOPTS"), "PYTEST_ADDOPTS"),
        (Location(""), "-"),
        (Location("t.py", 3, None, "t.py::a", SymbolKind.NODE), "t.py:3 (t.py::a)"),
    ],
)
def test_a_place_is_as_exact_as_it_is_known(location: Location, place: str) -> None:
    shown = text.render(Report((ini_chain(gate(locations=(location,))),)))
    assert f"\nerror  ini.coverage_gate  {place}\n" in shown


@pytest.mark.parametrize(
    ("symbol", "kind", "carets"),
    [
        ("--cov", SymbolKind.OPTION, "^^^^^^^^^^^^^"),
        ("addopts", SymbolKind.OPTION, "^^^^^^^"),
        ("-x", SymbolKind.OPTION, ""),
        ("", SymbolKind.OPTION, ""),
        ("--cov", SymbolKind.NODE, ""),
    ],
)
def test_without_a_column_the_option_is_looked_for_in_the_line(
    symbol: str, kind: SymbolKind, carets: str
) -> None:
    finding = gate(locations=(Location("../../pyproject.toml", 2, None, symbol, kind),))
    shown = text.render(Report((ini_chain(finding, exhibits=None),)), excerpts=EXCERPTS)
    assert "".join(char for char in shown if char == "^") == carets


def test_a_lowered_finding_is_called_what_it_is_now() -> None:
    warning = gate(severity=Severity.WARNING)
    assert text.render(Report((ini_chain(warning),))).startswith("PASS  1 warning\n")


def test_a_finding_without_a_place_has_none() -> None:
    rule = Rule("x.y", "s", Severity.NOTE)
    outcome = attrs.evolve(ini_chain(BaseFinding(rule=rule, message="m")), rules=(rule,))
    assert "\nnote  x.y\n  m\n" in text.render(Report((outcome,)))


def test_what_was_waived_is_counted_and_says_by_whom_and_until_when() -> None:
    report = attrs.evolve(everything(), outcomes=(ini_chain(exhibits=None),))
    shown = text.render(report)
    assert shown == (
        "PASS  1 waived\n"
        "\n"
        "Waived\n"
        "  ini.coverage_gate  ../../pyproject.toml:2:26: --cov-fail-under=80 fails a passing suite "
        "below 80 % (approved by ann until 2030-01-02: known\\x1b[0m)\n"
        "\n"
        "Not seen\n"
        "  evil\\n (planted) was not loaded: lies outside\n"
        "\n"
        "Notes\n"
        "  waiver 1 (ini.coverage_gate in a b\\x1b[31m\\xff\\n%:.ini (t.py::t)) excuses nothing: "
        "no finding of this run is the one it names\n"
        "  waiver 2 (ini.coverage_gate in ../../pyproject.toml) expired on 2030-01-02 and excuses "
        "nothing; it names 1 finding of this run\n"
        "  waiver 3 (ini.coverage_gate in a b\\x1b[31m\\xff\\n%:.ini (t.py::t)) excuses nothing, "
        "as no day was given to judge it by\n"
        "  something to know\n"
    )
