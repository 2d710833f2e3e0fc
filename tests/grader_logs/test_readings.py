"""Logs that real pytest prints, read as graders read them; and a grader's files."""

from __future__ import annotations

import json
import pathlib

import attrs
import pytest

from benchhygiene import (
    GraderLog,
    GraderParser,
    InputError,
    Orchestrator,
    Registry,
    Report,
    Verdict,
    sources,
)
from benchhygiene_plugins.grader_logs import GraderLogs, grade, is_resolved
from tests.records import made

SUITE = """\
import pytest
def test_good(): pass
def test_bad(): assert 0
def test_other(): assert 0
@pytest.mark.skip
def test_skip(): pass
@pytest.mark.xfail
def test_xfail(): assert 0
@pytest.mark.parametrize("v", ["c d", "c e"])
def test_q(v): assert v == "c e"
"""
FORGING = 'import atexit\natexit.register(print, "PASSED t/test_t.py::test_bad")\n'
T = "t/test_t.py::"


def judged(*evidence: object) -> Report:
    orchestrator = Orchestrator(Registry().including(GraderLogs()), frozenset(("grader-logs",)))
    report = orchestrator.run(*evidence)
    report.raise_for_crashes()
    return report


def rules(report: Report, test: str | None = None) -> set[str]:
    found = report.findings
    return {one.rule.id for one in found if test is None or one.locations[0].symbol == test}


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What pytest prints of the suite, and of one that forges; and the record of that run."""
    found: dict[str, str] = {}
    for name, suite in (("honest", SUITE), ("forged", FORGING + SUITE)):
        directory = made.write(tmp_path_factory.mktemp(name), {"t/test_t.py": suite})
        found[name] = made.run(directory, "pytest", "-rA", "--report-log=log.jsonl")
        found[f"{name} record"] = str(directory / "log.jsonl")
    return found


def swebench(text: str, *fail_to_pass: str, exit_status: int = 1, **more: object) -> GraderLog:
    log = GraderLog(
        text=f"+ : '>>>>> Start Test Output'\n{text}+ : '>>>>> End Test Output'\n"
        f">>>>> Test Exit Code: {exit_status}\n",
        parser=GraderParser.SWEBENCH_PYTEST,
        fail_to_pass=[T + name for name in fail_to_pass],
    )
    return attrs.evolve(log, **more)  # type: ignore[arg-type]


def test_an_honest_log_is_graded_as_it_is(printed: dict[str, str]) -> None:
    log = swebench(printed["honest"], "test_good")
    assert is_resolved(log, grade(log))
    assert judged(log, sources.outcomes(printed["honest record"])).verdict is Verdict.PASS
    log = swebench(printed["honest"], "test_bad")
    assert not is_resolved(log, grade(log))
    assert rules(judged(log, sources.outcomes(printed["honest record"])), T + "test_bad") == set()


def test_a_line_printed_at_exit_hides_a_failure(printed: dict[str, str]) -> None:
    log = swebench(printed["forged"], "test_bad")
    assert is_resolved(log, grade(log))
    report = judged(log, sources.outcomes(printed["forged record"]))
    assert rules(report, T + "test_bad") == {"grader_log.overridden", "grader_log.disagrees"}
    assert report.verdict is Verdict.VIOLATION


def test_skips_and_expected_failures_count(printed: dict[str, str]) -> None:
    log = swebench(printed["honest"], "test_xfail")
    assert is_resolved(log, grade(log))
    assert rules(judged(log), T + "test_xfail") == {"grader_log.skip_counted"}


def test_ids_are_cut_at_a_space(printed: dict[str, str]) -> None:
    report = judged(swebench(printed["honest"], "test_q[c d]"))
    assert "grader_log.id_cut" in rules(report)
    whole = swebench(
        printed["honest"],
        "test_q[c d]",
        "test_q[c e]",
        parser=GraderParser.SWEBENCH_PYTEST_V2,
    )
    assert "grader_log.id_cut" not in rules(judged(whole))


def test_terminal_bench_counts_skips_and_drops_files(printed: dict[str, str]) -> None:
    log = GraderLog(text=printed["honest"], parser=GraderParser.TERMINAL_BENCH)
    found = grade(log)
    statuses = {name: lines[-1].status for name, lines in found.lines.items()}
    assert statuses["test_good"] == "PASSED"
    assert statuses["test_bad"] == "FAILED"
    assert "grader_log.skip_counted" in rules(judged(log))


@pytest.mark.parametrize("parser", GraderParser)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00" * 1000,
        "PASSED",
        "PASSED " + "[" * 100_000,
        "FAILED " + " - " * 50_000,
        "= short test summary info =\n" * 20_000,
        "1 passed, " * 40_000 + "in",
        "\x1b[31m" * 50_000,
        "PASSED a::" + "\u2028PASSED b::c" * 20_000,
        ">>>>> Start Test Output\n" * 20_000,
    ],
)
def test_a_hostile_log_is_soon_judged(text: str, parser: GraderParser) -> None:
    judged(GraderLog(text=text, parser=parser))
    marked = f">>>>> Start Test Output\n{text}\n>>>>> End Test Output\n>>>>> Test Exit Code: 1\n"
    judged(GraderLog(text=marked, parser=parser, fail_to_pass=["a::b", "a::b[c"]))


ROW = {
    "instance_id": "a__b-1",
    "log_parser": "parse_log_astropy",
    "FAIL_TO_PASS": '["t.py::test_a"]',
    "PASS_TO_PASS": ["t.py::test_b"],
}
REPORT = {
    "a__b-1": {
        "resolved": True,
        "patch_successfully_applied": True,
        "tests_status": {
            "FAIL_TO_PASS": {"success": ["t.py::test_a"], "failure": []},
            "PASS_TO_PASS": {"success": [], "failure": ["t.py::test_b"]},
        },
    }
}


def test_a_graders_files_are_read(tmp_path: pathlib.Path) -> None:
    log, row, report = tmp_path / "test_output.txt", tmp_path / "row.json", tmp_path / "report.json"
    log.write_bytes(b"PASSED t.py::test_a\n\xff")
    row.write_text(json.dumps(ROW), encoding="utf-8")
    report.write_text(json.dumps(REPORT), encoding="utf-8")
    found = sources.grader_log(log, instance=row, report=report)
    assert found.text == "PASSED t.py::test_a\n\\xff"
    assert found.parser is GraderParser.SWEBENCH_PYTEST_V2
    assert found.expected == ("t.py::test_a", "t.py::test_b")
    assert found.name == "test_output.txt"
    assert found.verdict is not None
    assert (found.verdict.resolved, found.verdict.patch_applied) == (True, True)
    assert (found.verdict.succeeded, found.verdict.failed) == (("t.py::test_a",), ("t.py::test_b",))
    assert sources.grader_log(log, parser="terminal-bench").expected == ()


@pytest.mark.parametrize(
    ("row", "report", "message"),
    [
        ({**ROW, "log_parser": "parse_log_maven"}, REPORT, "parser 'parse_log_maven' is not known"),
        ({"FAIL_TO_PASS": []}, REPORT, "no parser is given"),
        ({**ROW, "FAIL_TO_PASS": "x"}, REPORT, "FAIL_TO_PASS: not a list in JSON"),
        ({**ROW, "FAIL_TO_PASS": [1]}, REPORT, "FAIL_TO_PASS: expected texts, not 1"),
        ([], REPORT, "row.json: expected an object"),
        (ROW, {"a": {}, "b": {}}, "report.json: expected a report of one instance"),
        (ROW, {"a": {"resolved": 1}}, "report.json.a.resolved: expected true or false, not 1"),
    ],
)
def test_a_graders_files_are_refused(
    row: object, report: object, message: str, tmp_path: pathlib.Path
) -> None:
    for name, told in (("row.json", row), ("report.json", report)):
        (tmp_path / name).write_text(json.dumps(told), encoding="utf-8")
    (tmp_path / "log").write_text("", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        sources.grader_log(
            tmp_path / "log", instance=tmp_path / "row.json", report=tmp_path / "report.json"
        )
    assert message in str(caught.value)
