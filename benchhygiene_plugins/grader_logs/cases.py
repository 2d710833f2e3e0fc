"""A violating and an innocent example of every rule, as logs."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from benchhygiene import (
    GraderLog,
    GraderParser,
    GraderVerdict,
    NodeEnd,
    NodeRun,
    SuiteRun,
    Verdict,
)
from benchhygiene.testing import Case, case
from benchhygiene_plugins.grader_logs.findings import (
    ABSENT,
    DISAGREES,
    DUPLICATE,
    GATE,
    ID_CUT,
    OVERRIDDEN,
    PRINTED,
    SKIP_COUNTED,
    UNREAD,
)

_A, _B = "t.py::test_a", "t.py::test_b"
_OTHER = "FAILED t.py::test_c - no"
_HEADING = "=========================== short test summary info ============================"


def _pytest(*summary: str, before: str = "", counts: str = "2 passed") -> str:
    lines = (before, _HEADING, *summary, f"============== {counts} in 0.10s ==============")
    return "\n".join(lines)


def _swebench(
    output: str,
    exit_status: int = 0,
    *,
    fail_to_pass: Iterable[str] = (_A,),
    parser: GraderParser = GraderParser.SWEBENCH_PYTEST,
    verdict: GraderVerdict | None = None,
) -> GraderLog:
    text = (
        f"+ : '>>>>> Start Test Output'\n{output}\n+ : '>>>>> End Test Output'\n"
        f"+ echo '>>>>> Test Exit Code: {exit_status}'\n>>>>> Test Exit Code: {exit_status}\n"
    )
    return GraderLog(
        text=text,
        parser=parser,
        fail_to_pass=fail_to_pass,
        pass_to_pass=[_B],
        verdict=verdict,
    )


_PASSES = _pytest(f"PASSED {_A}", f"PASSED {_B}")
_CLEAN = _swebench(_PASSES)
_REPORTED = GraderVerdict(resolved=True, patch_applied=True, succeeded=[_A, _B])
_V2 = GraderParser.SWEBENCH_PYTEST_V2
_EVERY = (OVERRIDDEN, PRINTED, SKIP_COUNTED, ID_CUT, GATE, DUPLICATE, ABSENT, DISAGREES, UNREAD)


def _run(**ends: NodeEnd) -> SuiteRun:
    nodes = [NodeRun(node_id=f"t.py::{name}", end=end) for name, end in ends.items()]
    return SuiteRun(origin="reportlog", nodes=nodes)


def _terminal(*summary: str, fail_to_pass: Iterable[str] = ()) -> GraderLog:
    return GraderLog(
        text=_pytest(*summary), parser=GraderParser.TERMINAL_BENCH, fail_to_pass=fail_to_pass
    )


_LINES: tuple[Case, ...] = (
    case(
        "both tests pass, and the report says so",
        attrs.evolve(_CLEAN, verdict=_REPORTED),
        _run(test_a=NodeEnd.PASSED, test_b=NodeEnd.PASSED),
        innocent_of=_EVERY,
        verdict=Verdict.PASS,
    ),
    case(
        "a failing test prints that it has passed, after the summary",
        _swebench(f"{_pytest(f'FAILED {_A} - no', f'PASSED {_B}', _OTHER)}\nPASSED {_A}", 1),
        reports=[OVERRIDDEN],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a test that is not run has its line printed by another",
        _swebench(_pytest(f"PASSED {_B}", before=f"PASSED {_A}")),
        reports=[PRINTED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a test prints the marker that ends the graded part",
        _swebench(f"PASSED {_A}\nPASSED {_B}\n>>>>> End Test Output\nFAILED {_A}", 1),
        reports=[PRINTED, GATE],
    ),
    case(
        "a test prints another exit status",
        _swebench(f">>>>> Test Exit Code: 0\n{_PASSES}", 1),
        reports=[PRINTED],
    ),
    case(
        "a failing test prints that it has passed, before the summary",
        _swebench(_pytest(f"FAILED {_A} - no", f"PASSED {_B}", before=f"PASSED {_A}"), 1),
        reports=[DUPLICATE],
        innocent_of=[OVERRIDDEN, PRINTED],
        verdict=Verdict.PASS,
    ),
    case(
        "a test passes and its teardown does not",
        _swebench(_pytest(f"PASSED {_A}", f"PASSED {_B}", f"ERROR {_A} - late"), 1),
        reports=[DUPLICATE],
        innocent_of=[OVERRIDDEN],
    ),
)

_STATUSES: tuple[Case, ...] = (
    case(
        "the test that must come to pass is an expected failure",
        _swebench(_pytest(f"XFAIL {_A} - later", f"PASSED {_B}")),
        reports=[SKIP_COUNTED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the test that must go on passing is skipped",
        _swebench(_pytest(f"PASSED {_A}", f"SKIPPED {_B}")),
        reports=[SKIP_COUNTED],
    ),
    case(
        "the test that must come to pass is skipped, and counts as failed",
        _swebench(_pytest(f"SKIPPED {_A}", f"PASSED {_B}")),
        innocent_of=[SKIP_COUNTED],
    ),
    case(
        "a printed line gives a test a status that is neither",
        _swebench(f"{_pytest(f'FAILED {_A} - no', f'PASSED {_B}')}\nFAILED: {_A}\nFAILED x", 1),
        reports=[SKIP_COUNTED, DUPLICATE],
    ),
    case(
        "terminal-bench counts a skipped test",
        _terminal(f"PASSED {_A}", "SKIPPED [1] t.py:3: no time"),
        reports=[SKIP_COUNTED],
    ),
    case(
        "terminal-bench counts tests that pass",
        _terminal(f"PASSED {_A}", f"PASSED {_B}"),
        innocent_of=[SKIP_COUNTED, ID_CUT],
    ),
    case(
        "a test that decides is not in the log",
        _swebench(_pytest(f"PASSED {_A}")),
        reports=[ABSENT],
        verdict=Verdict.PASS,
    ),
    case(
        "terminal-bench does not miss a test",
        _terminal(f"PASSED {_A}", fail_to_pass=[_A, _B]),
        reports=[ABSENT],
        verdict=Verdict.VIOLATION,
    ),
)

_SPACED = [f"{_A}[c d]", f"{_A}[c e]"]
_IDS: tuple[Case, ...] = (
    case(
        "ids are cut at a space, and one of two tests failed",
        _swebench(
            _pytest(f"FAILED {_SPACED[0]} - no", f"PASSED {_SPACED[1]}", f"PASSED {_B}", _OTHER),
            1,
            fail_to_pass=[f"{_A}[c"],
        ),
        reports=[ID_CUT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a whole id is looked for where ids are cut at a space",
        _swebench(_pytest(f"PASSED {_SPACED[0]}", f"PASSED {_B}"), fail_to_pass=[_SPACED[0]]),
        reports=[ID_CUT],
        verdict=Verdict.PASS,
    ),
    case(
        "a parser that keeps spaces reads both ids",
        _swebench(
            _pytest(*(f"PASSED {each}" for each in _SPACED), f"PASSED {_B}"),
            fail_to_pass=_SPACED,
            parser=_V2,
        ),
        innocent_of=[ID_CUT],
    ),
    case(
        "an expected id is cut, and the tests it may stand for disagree",
        _swebench(
            _pytest(f"PASSED {_A}[c-1]", f"FAILED {_A}[c-2] - no", f"PASSED {_B}"),
            1,
            fail_to_pass=[f"{_A}[c"],
        ),
        reports=[ID_CUT],
    ),
    case(
        "terminal-bench drops the name of the file",
        _terminal("FAILED a.py::test_x - no", "PASSED b.py::test_x"),
        reports=[ID_CUT],
        verdict=Verdict.VIOLATION,
    ),
)

_WHOLE: tuple[Case, ...] = (
    case(
        "an inherited coverage gate fails a run in which every test passes",
        _swebench(
            f"FAIL Required test coverage of 80% not reached. Total coverage: 9%\n{_PASSES}",
            1,
            verdict=GraderVerdict(resolved=False, patch_applied=False),
        ),
        reports=[GATE],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a test failed, and the tests exited with 1",
        _swebench(_pytest(f"PASSED {_A}", f"FAILED {_B} - no"), 1),
        innocent_of=[GATE],
    ),
    case(
        "the log has no end",
        attrs.evolve(_CLEAN, text=_CLEAN.text.partition("+ : '>>>>> End")[0]),
        reports=[UNREAD],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "the tests took too long",
        attrs.evolve(_CLEAN, text=f"{_CLEAN.text}>>>>> Tests Timed Out\n"),
        reports=[UNREAD],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "nothing in the log gives a test a status",
        _swebench("collected 0 items", 5),
        reports=[UNREAD],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "the record of the run knows that a test failed",
        _CLEAN,
        _run(test_a=NodeEnd.FAILED, test_b=NodeEnd.PASSED),
        reports=[DISAGREES],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the record of the run does not know a test",
        _CLEAN,
        _run(test_b=NodeEnd.PASSED),
        reports=[DISAGREES],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the report says resolved, and the log does not",
        _swebench(_pytest(f"FAILED {_A} - no", f"PASSED {_B}"), 1, verdict=_REPORTED),
        reports=[DISAGREES],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a test is in neither list of the report",
        attrs.evolve(_CLEAN, verdict=GraderVerdict(resolved=True, succeeded=[_A])),
        reports=[ABSENT],
        verdict=Verdict.VIOLATION,
    ),
)

CASES: tuple[Case, ...] = (*_LINES, *_STATUSES, *_IDS, *_WHOLE)
