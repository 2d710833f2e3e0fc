"""What real pytest and real unittest do, read back out of every form of record."""

from __future__ import annotations

import datetime
import pathlib

import attrs
import pytest

from benchhygiene import NodeEnd, SuiteRun, sources
from benchhygiene.inventory.failure_shapes import shape
from tests.records import made

FORMS = ("log.jsonl", "xunit1.xml", "xunit2.xml", "report.json", "ctrf.json")
ORIGINS = {
    "log.jsonl": "reportlog",
    "xunit1.xml": "junit",
    "xunit2.xml": "junit",
    "report.json": "json-report",
    "ctrf.json": "ctrf",
}
WHOLE = "tests/test_whole.py"
XPASS = "tests/test_a.py::test_xpass"
BOTH = "tests/test_a.py::test_fail_and_teardown"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    directory = made.write(tmp_path_factory.mktemp("suite"), made.FILES)
    made.run(
        directory,
        "pytest",
        "--report-log=log.jsonl",
        "--junitxml=xunit2.xml",
        "--json-report",
        "--json-report-file=report.json",
        "--ctrf=ctrf.json",
    )
    made.run(directory, "pytest", "--junitxml=xunit1.xml", "-o", "junit_family=xunit1")
    return directory


def ends(run: SuiteRun) -> dict[str, tuple[NodeEnd, ...]]:
    return {node: tuple(each.end for each in runs) for node, runs in run.by_node.items()}


def expected(form: str) -> dict[str, tuple[NodeEnd, ...]]:
    """Return what the suite does, less what the form has no word for."""
    told = dict(made.ENDS)
    if form.startswith("xunit"):
        told[XPASS] = (NodeEnd.PASSED,)
    if form == "ctrf.json":
        told[BOTH] = (NodeEnd.FAILED,)
        del told[WHOLE]
    return told


@pytest.mark.parametrize("form", FORMS)
def test_every_node_is_told_as_it_ended(form: str, records: pathlib.Path) -> None:
    run = sources.outcomes(records / form)
    assert run.origin == ORIGINS[form]
    assert ends(run) == expected(form)
    assert run.doubts == ()
    assert run == sources.outcomes(records / form, ORIGINS[form])


@pytest.mark.parametrize("form", FORMS)
def test_the_failures_have_their_shapes(form: str, records: pathlib.Path) -> None:
    run = sources.outcomes(records / form)
    found = {each.node_id: shape(each.failure) for each in run.nodes if each.failure is not None}
    assert {node: found[node] for node in made.SHAPES} == made.SHAPES
    assert all(each.failure is not None for each in run.nodes if each.end.is_failure)
    assert all(each.failure is None for each in run.nodes if not each.end.is_failure)


@pytest.mark.parametrize("form", FORMS)
def test_what_could_not_be_collected_is_told_where_the_form_can(
    form: str, records: pathlib.Path
) -> None:
    run = sources.outcomes(records / form)
    assert run.failed_collectors == (() if form == "ctrf.json" else made.BROKEN)
    assert run.exit_status == (1 if form in ("log.jsonl", "report.json") else None)


@pytest.mark.parametrize("form", FORMS)
def test_only_xunit2_leaves_node_ids_to_be_guessed(form: str, records: pathlib.Path) -> None:
    run = sources.outcomes(records / form)
    guessed = {each.id_is_guessed for each in run.nodes if each.node_id != WHOLE}
    assert guessed == {form == "xunit2.xml"}


@pytest.mark.parametrize("form", FORMS)
def test_when_it_ended_and_how_long_it_took(form: str, records: pathlib.Path) -> None:
    run = sources.outcomes(records / form)
    assert run.ended is not None
    assert run.ended.tzinfo is datetime.UTC
    assert all(each.duration is not None for each in run.nodes if each.node_id != WHOLE)


@pytest.mark.parametrize("form", FORMS)
def test_a_node_that_was_run_again_is_told_or_doubted(form: str, tmp_path: pathlib.Path) -> None:
    made.write(tmp_path, {"test_f.py": made.FLAKY})
    family = "xunit1" if form == "xunit1.xml" else "xunit2"
    made.run(
        tmp_path,
        "pytest",
        f"--report-log={tmp_path / 'log.jsonl'}",
        f"--junitxml={tmp_path / form}" if form.endswith("xml") else "--verbose",
        "-o",
        f"junit_family={family}",
        "--json-report",
        f"--json-report-file={tmp_path / 'report.json'}",
        f"--ctrf={tmp_path / 'ctrf.json'}",
    )
    run = sources.outcomes(tmp_path / form)
    (told,) = ends(run).values()
    assert told[-1] is NodeEnd.PASSED
    if form.endswith("xml"):
        (doubt,) = run.doubts
        assert "test_f.py::test_flaky stands 3 times and never fails" in doubt
    else:
        assert NodeEnd.FAILED in told
        assert run.doubts == ()
    if form in ("log.jsonl", "ctrf.json"):
        assert told == (NodeEnd.FAILED, NodeEnd.FAILED, NodeEnd.PASSED)
        shapes = {shape(each.failure) for each in run.nodes if each.failure}
        assert shapes == {"AssertionError: assert <n> > <n> + where <n> = len([<n>])"}


@pytest.mark.parametrize("form", ["log.jsonl", "report.json", "xunit1.xml", "ctrf.json"])
def test_a_failed_subtest_is_never_a_pass(form: str, tmp_path: pathlib.Path) -> None:
    made.write(
        tmp_path,
        {
            "test_s.py": "import unittest\nclass K(unittest.TestCase):\n"
            "    def test_s(self):\n"
            "        for i in range(3):\n"
            "            with self.subTest(i=i): self.assertNotEqual(i, 1)\n"
        },
    )
    made.run(
        tmp_path,
        "pytest",
        "--report-log=log.jsonl",
        "--junitxml=xunit1.xml",
        "-o",
        "junit_family=xunit1",
        "--json-report",
        "--json-report-file=report.json",
        "--ctrf=ctrf.json",
    )
    run = sources.outcomes(tmp_path / form)
    (told,) = ends(run).values()
    assert set(told) <= {NodeEnd.FAILED, NodeEnd.UNKNOWN}
    assert (NodeEnd.UNKNOWN in told) == bool(run.doubts)


@pytest.fixture(scope="module")
def unittests(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return made.write(
        tmp_path_factory.mktemp("unit"),
        {"test_u.py": made.UNITTEST, "test_imp.py": "import nothere\n"},
    )


def in_order(run: SuiteRun) -> dict[str, tuple[NodeEnd, ...]]:
    return dict(sorted(ends(run).items()))


def test_what_unittest_prints(unittests: pathlib.Path) -> None:
    path = unittests / "printed.txt"
    path.write_text(made.run(unittests, "unittest", "-v"), encoding="utf-8")
    run = sources.outcomes(path)
    assert run.origin == "unittest"
    assert in_order(run) == dict(sorted(made.UNITTEST_ENDS.items()))
    assert sorted(run.failed_collectors) == ["test_imp.py", "test_u.py::Broken"]
    assert run.doubts == ()
    assert all(each.id_is_guessed for each in run.nodes)


def test_what_unittest_xml_reporting_writes(unittests: pathlib.Path) -> None:
    made.run(unittests, "xmlrunner", "discover", "--output-file", "one.xml")
    run = sources.outcomes(unittests / "one.xml")
    assert in_order(run) == dict(sorted(made.UNITTEST_ENDS.items()))
    assert sorted(run.failed_collectors) == ["test_imp.py", "test_u.py::Broken"]
    assert run.doubts == ()


def test_both_forms_of_unittest_tell_the_same_shapes(unittests: pathlib.Path) -> None:
    path = unittests / "printed.txt"
    path.write_text(made.run(unittests, "unittest", "-v"), encoding="utf-8")
    made.run(unittests, "xmlrunner", "discover", "--output-file", "one.xml")
    printed, written = (
        {
            each.node_id: shape(attrs.evolve(each.failure, message=each.failure.message[:3]))
            for each in sources.outcomes(one).nodes
            if each.failure is not None and not each.node_id.endswith("test_xp")
        }
        for one in (path, unittests / "one.xml")
    )
    assert printed == written
    assert printed["test_u.py::Pass::test_err"] == "ValueError: bad"


def test_a_line_that_a_test_prints_is_doubted_and_never_a_pass(tmp_path: pathlib.Path) -> None:
    forged = "test_bad (test_f.K.test_bad) ... ok"
    made.write(
        tmp_path,
        {
            "test_f.py": "import sys, unittest\nclass K(unittest.TestCase):\n"
            "    def test_a(self):\n"
            f"        print('\\n{forged}', file=sys.stderr)\n"
            "    def test_bad(self): self.fail('really')\n"
        },
    )
    path = tmp_path / "printed.txt"
    path.write_text(made.run(tmp_path, "unittest", "-v"), encoding="utf-8")
    run = sources.outcomes(path)
    assert ends(run)["test_f.py::K::test_bad"] == (NodeEnd.FAILED,)
    assert any("stands 2 times" in doubt for doubt in run.doubts)
