"""Records that are cut off, forged, mixed, huge or none: an error with its place, or a doubt."""

from __future__ import annotations

import contextlib
import json
import pathlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhygiene import InputError, NodeEnd, SuiteRun, sources
from benchhygiene.sources.records.forms import FORMATS, outcomes_of

START = '{"pytest_version": "9.2.0", "$report_type": "SessionStart"}\n'
FINISH = '{"exitstatus": 0, "$report_type": "SessionFinish"}\n'
CASE = '<testcase classname="tests.test_a" name="test_b" file="tests/test_a.py" time="0.1"/>'


def report(when: str, outcome: str = "passed", node: str = "t.py::test_a", **more: object) -> str:
    told = {"nodeid": node, "when": when, "outcome": outcome, "longrepr": None, **more}
    return json.dumps({**told, "$report_type": "TestReport"}) + "\n"


WHOLE = report("setup") + report("call") + report("teardown")
CTRF = {
    "reportFormat": "CTRF",
    "results": {
        "tool": {"name": "jest"},
        "summary": {"tests": 1},
        "tests": [{"name": "adds", "status": "passed", "duration": 3}],
    },
}
JSON_REPORT = {
    "created": 1.5,
    "exitcode": 0,
    "summary": {"total": 1},
    "tests": [{"nodeid": "t.py::test_a", "outcome": "passed"}],
}


def read(text: str | bytes, format: str | None = None) -> SuiteRun:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return outcomes_of(data, "record", format)


def ends(run: SuiteRun) -> list[tuple[str, NodeEnd]]:
    return [(each.node_id, each.end) for each in run.nodes]


def suite(inner: str, **counts: int) -> str:
    told = "".join(f' {name}="{count}"' for name, count in counts.items())
    suites = f'<testsuites><testsuite name="s"{told}>{inner}</testsuite></testsuites>'
    return f'<?xml version="1.0"?>{suites}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "record: is empty"),
        (" \r\n\t", "record: is empty"),
        ("no record", "record: is no record of a run that is known; expected pytest-reportlog"),
        ("[1]", "record: is no record of a run that is known"),
        ("{}", "record: is JSON of another kind"),
        ("{", "record: not JSON"),
        ("\x00\x01", "record: is no record of a run"),
        (b"\xff\xfa no", "record: line 1: not UTF-8: byte 0"),
        (b"one\ntwo \xff", "record: line 2: not UTF-8: byte 8"),
        (START + WHOLE + '{"nodeid": "t.py::te', "record: line 5: is cut off"),
        (START + WHOLE + "not json\n", "record: line 5: not JSON"),
        (START + "[1]\n", "record: line 2: expected an object, not a list"),
        (START + START + FINISH, "record: line 2: a second session starts"),
        (START + suite(CASE) + "\n", "record: line 2: not JSON"),
        (START + '{"$report_type": "Forged"}\n', "record: line 2: $report_type 'Forged' is none"),
        (START + '{"$report_type": 1}\n', "record: line 2.$report_type: expected text, not 1"),
        (START + report("later"), "record: line 2.when: expected a phase"),
        (START + report("call", node=None), "record: line 2.nodeid: expected text"),  # type: ignore[arg-type]
        (START + report("call", duration="x"), "record: line 2.duration: expected a number"),
        (
            START + report("call", "failed", longrepr={"reprcrash": {}}),
            "record: line 2.longrepr.reprcrash",
        ),
        (START + '{"a": 1, "a": 2}\n', "record: line 2: not JSON: the key 'a' stands twice"),
        (START + "[" * 100_000 + "\n", "record: line 2: nested too deeply"),
        (START.encode() + b'{"a": "\xff"}\n', "record: line 2: not UTF-8"),
        ("<", "record: line 1, column "),
        ("<html><body/></html>", "record: line 1: expected testsuites or testsuite, not html"),
        (suite(CASE)[:-5], "record: line 1, column"),
        (suite(CASE) + suite(CASE), "not XML: junk after document element"),
        (suite(CASE) + "\n" + START, "record: line 2, column 0: not XML"),
        (suite("<testcase classname='a'/>"), "record: line 1: testcase has no name"),
        (suite("<a>" * 100 + "</a>" * 100), "record: line 1: elements are nested deeper than 64"),
        (
            "<testsuites><testcase " + " ".join(f'a{n}=""' for n in range(65)) + "/></testsuites>",
            "record: line 1: more than 64 attributes",
        ),
        ("<!DOCTYPE x><testsuites/>", "record: line 1: has a document type"),
        (
            '<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><testsuites>&c;</testsuites>',
            "record: line 1: has a document type",
        ),
        (
            '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuites>&a;</testsuites>',
            "record: line 1: has a document type",
        ),
        (suite("&undefined;"), "not XML: undefined entity"),
        ('<?xml version="1.0" encoding="no-such"?><testsuites/>', "not XML"),
        (suite(CASE).encode() + b"\xff", "not XML: "),
        (suite(""), "record: tells of no test, and not how the run ended"),
        (json.dumps({**CTRF, "results": {}}), "record.results: has no tests; expected a list"),
        (json.dumps({**JSON_REPORT, "tests": None}), "record: has no tests: it was made with"),
        (json.dumps({**JSON_REPORT, "tests": [1]}), "record.tests[0]: expected an object, not 1"),
        (json.dumps({**JSON_REPORT, "tests": [{}]}), "record.tests[0]: has no nodeid"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text: str | bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert str(caught.value).startswith(message) or message in str(caught.value)
    assert str(caught.value).startswith("record")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        (START + WHOLE, "the record has no end of the session"),
        (WHOLE + FINISH, "the record has no beginning of the session"),
        (START + report("setup") + FINISH, "t.py::test_a: its record has no end"),
        (START + report("setup") + report("call") + FINISH, "t.py::test_a: its record has no end"),
        (START + report("call") + report("teardown") + FINISH, "begins in the middle"),
        (suite(CASE, failures=1), "the suites count 1 failures, and 0 are told of"),
        (suite(CASE, errors=2), "the suites count 2 errors, and 0 are told of"),
        (suite(CASE + CASE), "tests/test_a.py::test_b stands 2 times and never fails"),
        (json.dumps({**JSON_REPORT, "summary": {"total": 2}}), "the summary counts 2 tests, and 1"),
        (
            json.dumps({**JSON_REPORT, "tests": [{"nodeid": "t", "outcome": "fine"}]}),
            "t: 'fine' does not say how the test ended",
        ),
        ("test_a (m.K.test_a) ... ok\n", "the text has no count of the tests at its end"),
        ("test_a (m.K.test_a) ... ok\nRan 2 tests in 0.1s\n\nOK\n", "unittest ran 2 tests, and 1"),
        (
            "test_a (m.K.test_a) ... ok\nRan 1 test in 0.1s\n\nFAILED (failures=1)\n",
            "unittest counts 1 failures, and 0 are told of",
        ),
    ],
)
def test_what_a_record_leaves_open_is_a_doubt(text: str, doubt: str) -> None:
    assert any(doubt in told for told in read(text).doubts)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (report("setup"), NodeEnd.UNFINISHED),
        (report("setup") + report("call"), NodeEnd.UNFINISHED),
        (report("setup") + report("teardown"), NodeEnd.UNFINISHED),
        (report("setup") + report("call", "failed"), NodeEnd.FAILED),
        (report("setup") + report("call", "great") + report("teardown"), NodeEnd.UNKNOWN),
        (report("setup", "skipped") + report("teardown"), NodeEnd.SKIPPED),
        (report("setup", "skipped", wasxfail="r") + report("teardown"), NodeEnd.XFAILED),
        (report("setup", "failed") + report("teardown"), NodeEnd.ERROR),
        (WHOLE, NodeEnd.PASSED),
    ],
)
def test_only_three_phases_that_passed_are_a_pass(lines: str, expected: NodeEnd) -> None:
    assert ends(read(START + lines + FINISH)) == [("t.py::test_a", expected)]


def test_workers_may_report_at_once() -> None:
    other = "t.py::test_b"
    lines = (
        report("setup") + report("setup", node=other) + report("call", node=other, outcome="failed")
    )
    lines += report("call") + report("teardown", node=other) + report("teardown")
    assert ends(read(START + lines + FINISH)) == [
        (other, NodeEnd.FAILED),
        ("t.py::test_a", NodeEnd.PASSED),
    ]


def test_a_reported_pass_does_not_hide_an_earlier_failure() -> None:
    lines = report("setup") + report("call", "failed") + report("call") + report("teardown")
    assert ends(read(START + lines + FINISH)) == [("t.py::test_a", NodeEnd.FAILED)]
    both = CASE.replace("/>", "><failure message='no'/></testcase>") + CASE
    assert [end for _, end in ends(read(suite(both, failures=1)))] == [
        NodeEnd.FAILED,
        NodeEnd.PASSED,
    ]


@pytest.mark.parametrize(
    ("attributes", "node_id", "guessed"),
    [
        (
            'classname="tests.test_a.TestK" name="test_b" file="tests/test_a.py"',
            "tests/test_a.py::TestK::test_b",
            False,
        ),
        (
            'classname="tests.test_a.TestK" name="test_b" file="base/mixin.py"',
            "tests/test_a.py::TestK::test_b",
            True,
        ),
        ('classname="tests.test_a.TestK" name="test_b"', "tests/test_a.py::TestK::test_b", True),
        ('classname="tests.Test_Mod" name="test_b"', "tests.py::Test_Mod::test_b", True),
        ('classname="Test_Mod" name="test_b"', "Test_Mod.py::test_b", True),
        ('classname="" name="test_b"', "test_b", True),
        ('name="test_b (x)"', "test_b (x)", True),
        ('classname="pkg" name="test_b" file="pkg/__init__.py"', "pkg/__init__.py::test_b", False),
    ],
)
def test_node_ids_are_put_together_from_class_and_name(
    attributes: str, node_id: str, guessed: bool
) -> None:
    (found,) = read(suite(f"<testcase {attributes}/>")).nodes
    assert (found.node_id, found.id_is_guessed) == (node_id, guessed)


def test_surefire_tells_of_repeated_runs() -> None:
    inner = CASE.replace(
        "/>", "><flakyFailure type='E' message='m'/><rerunError type='E'/></testcase>"
    )
    assert [end for _, end in ends(read(suite(inner)))] == [
        NodeEnd.FAILED,
        NodeEnd.ERROR,
        NodeEnd.PASSED,
    ]


def test_ctrf_of_other_programs() -> None:
    (found,) = read(json.dumps(CTRF)).nodes
    assert (found.node_id, found.id_is_guessed, found.duration) == ("adds", True, 0.003)
    tests = [
        {
            "name": "adds",
            "status": "failed",
            "filePath": "a.js",
            "suite": ["sum"],
            "rawStatus": "xfailed",
        },
        {"name": "b", "status": "pending"},
        {"name": "c", "status": "other"},
    ]
    run = read(json.dumps({**CTRF, "results": {**CTRF["results"], "tests": tests}}))  # type: ignore[dict-item]
    assert ends(run) == [
        ("a.js::sum::adds", NodeEnd.FAILED),
        ("b", NodeEnd.SKIPPED),
        ("c", NodeEnd.UNKNOWN),
    ]
    assert any("'other' does not say" in doubt for doubt in run.doubts)


def test_files(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        sources.outcomes(tmp_path / "absent")
    with pytest.raises(InputError, match="not a regular file"):
        sources.outcomes(tmp_path)
    path = tmp_path / "big.xml"
    path.write_text(suite(CASE * 3), encoding="utf-8")
    with pytest.raises(InputError, match="more than the limit of 100"):
        sources.outcomes(path, limits=sources.RecordLimits(file_bytes=100))
    with pytest.raises(InputError, match="tells of 3 runs, more than 2"):
        sources.outcomes(path, limits=sources.RecordLimits(nodes=2))
    with pytest.raises(InputError, match="format toml: expected one of reportlog, junit"):
        sources.outcomes(path, "toml")
    with pytest.raises(InputError, match="not JSON"):
        sources.outcomes(path, "ctrf")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("passed"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "tests",
                    "results",
                    "summary",
                    "nodeid",
                    "outcome",
                    "when",
                    "longrepr",
                    "status",
                    "name",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
TEXT = st.text(st.sampled_from("<>&\"' \n=:()[]{}.ao-_1:Ran tests in FAIL okErO\x00é"), max_size=80)


@settings(max_examples=300)
@given(JSON, st.sampled_from(FORMATS), TEXT, st.booleans())
def test_anything_is_read_or_refused(told: object, format: str, text: str, as_json: bool) -> None:
    members = told if isinstance(told, dict) else {"tests": told}
    line = json.dumps({"$report_type": "TestReport", **members}) + "\n"
    for given_text in (line if as_json else text, suite(text), json.dumps(members)):
        for asked in (None, format):
            with contextlib.suppress(InputError):  # and nothing else
                assert isinstance(read(given_text, asked), SuiteRun)


@pytest.mark.parametrize(
    "line",
    [
        "a (b) [" + "] (" * 600,
        "a (b) (" + ") ... a (b) (" * 150,
        "a (b) ... " * 200,
        "ERROR: a (b) [" + "] (" * 600,
        "(" * 2000,
    ],
)
def test_hostile_lines_are_soon_read(line: str) -> None:
    text = "test_a (m.K.test_a) ... ok\n" + (line + "\n" + "=" * 70 + "\n") * 2000
    assert read(text).origin == "unittest"


def test_a_hostile_name_is_soon_read() -> None:
    case = f'<testcase classname="k" timestamp="t" name="a [{"] (" * 6000}"/>'
    assert len(read(suite(case * 50)).nodes) == 50
