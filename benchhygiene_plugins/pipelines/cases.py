"""A violating and an innocent example of the rule, as evidence literals."""

from __future__ import annotations

from benchhygiene import Change, Verdict
from benchhygiene.testing import Case, case
from benchhygiene_plugins.pipelines.findings import MASKED

_WORKFLOW = ".github/workflows/ci.yml"
_JOB = """\
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: pip install -e .
      - run: pytest tests
"""
_EXPERIMENT = """\
  soon:
    continue-on-error: true
    steps:
      - run: tox
"""
_MAKE = "test:\n\tpytest tests\n\nlint:\n\truff check .\n"
_SCRIPT = "set -e\npytest tests\n"


def _workflow(old: str, new: str) -> Change:
    return Change({_WORKFLOW: _JOB}, {_WORKFLOW: _JOB.replace(old, new)})


CASES: tuple[Case, ...] = (
    case(
        "the step's failure is swallowed",
        _workflow("pytest tests", "pytest tests || true"),
        reports=[MASKED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the step's failure is passed on behind a message",
        _workflow("pytest tests", "pytest tests || { echo failed; exit 1; }"),
        innocent_of=[MASKED],
        verdict=Verdict.PASS,
    ),
    case(
        "the job may fail",
        _workflow("    steps:", "    continue-on-error: true\n    steps:"),
        reports=[MASKED],
    ),
    case(
        "an experiment that may fail is added",
        _workflow(
            "jobs:\n", "jobs:\n  soon:\n    continue-on-error: true\n    steps:\n      - run: tox\n"
        ),
        innocent_of=[MASKED],
        verdict=Verdict.PASS,
    ),
    case(
        "make ignores the tests' status",
        Change({"Makefile": _MAKE}, {"Makefile": _MAKE.replace("\tpytest", "\t-pytest")}),
        reports=[MASKED],
    ),
    case(
        "make ignores the linter's status",
        Change({"Makefile": _MAKE}, {"Makefile": _MAKE.replace("\truff", "\t-ruff")}),
        innocent_of=[MASKED],
        verdict=Verdict.PASS,
    ),
    case(
        "a script asks for fewer tests",
        Change({"ci/test.sh": _SCRIPT}, {"ci/test.sh": _SCRIPT.replace("tests", "tests -k fast")}),
        reports=[MASKED],
    ),
    case(
        "a workflow can no longer be read",
        Change({_WORKFLOW: _JOB}, {_WORKFLOW: _JOB + "  - [\n"}),
        reports=[MASKED],
        verdict=Verdict.INCONCLUSIVE,
    ),
)
