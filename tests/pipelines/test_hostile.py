"""Pipelines that are written against whoever reads them."""

from __future__ import annotations

import string

import pytest

from benchhygiene import Change, Orchestrator, Registry, Verdict
from benchhygiene_plugins.pipelines import Pipelines

WORKFLOW = ".github/workflows/ci.yml"
JOB = "on: push\njobs:\n  test:\n    steps:\n      - run: pytest tests\n"


def _verdict(path: str, before: str | bytes, after: str | bytes) -> Verdict:
    change = Change({path: before}, {path: after})
    return Orchestrator(Registry().including(Pipelines())).run(change).verdict


@pytest.mark.parametrize(
    "text",
    [
        JOB + "x: [" * 20_000,
        JOB.replace("pytest tests", "'" + "$(" * 20_000 + "pytest'"),
        JOB + "\tx: 1\n",
        JOB.replace("pytest tests", "pytest 'tests"),
        JOB + "z: !!python/object/apply:os.system ['true']\n  - x",
        JOB + "# \x00\n",
        "a: &a [x, x]\n"
        + "".join(
            f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
        )
        + "jobs:\n"
        + "".join(f"  - {{run: *{name}}}\n" for name in string.ascii_lowercase)
        + "  - {run: pytest 'x}\n",
    ],
    ids=["yaml deep", "shell deep", "tab", "quote", "tag", "nul", "aliases"],
)
def test_what_cannot_be_read_is_no_pass(text: str) -> None:
    assert _verdict(WORKFLOW, JOB, text) in (Verdict.INCONCLUSIVE, Verdict.VIOLATION)


def test_aliases_that_stand_for_more_than_can_be_looked_at() -> None:
    layers = "".join(
        f"l{n}: &l{n}\n" + "".join(f"  k{k}: *l{n - 1}\n" for k in range(9)) for n in range(1, 9)
    )
    text = f"l0: &l0\n  run: pytest tests\n{layers}"
    assert _verdict(WORKFLOW, JOB, text) is Verdict.INCONCLUSIVE


def test_a_mapping_that_merges_itself() -> None:
    text = JOB + "x: &x\n  <<: *x\n  run: pytest\n"
    assert _verdict(WORKFLOW, JOB, text) in (Verdict.PASS, Verdict.INCONCLUSIVE)


def test_make_variables_that_grow() -> None:
    grown = "".join(f"A{n} = $(A{n - 1})$(A{n - 1})\n" for n in range(1, 60))
    text = f"A0 = x\n{grown}test:\n\tpytest tests $(A59)\n"
    assert _verdict("Makefile", "test:\n\tpytest tests\n", text) is Verdict.PASS


def test_a_make_variable_of_itself() -> None:
    text = "PYTEST = $(PYTEST) -q\ntest:\n\t$(PYTEST) tests\n"
    assert _verdict("Makefile", "test:\n\tpytest tests\n", text) is Verdict.VIOLATION


def test_no_text() -> None:
    assert _verdict("ci/test.sh", "pytest tests\n", b"\x7fELF\0\0") is Verdict.INCONCLUSIVE


def test_a_filter_with_many_stars() -> None:
    stars = "**/" * 60 + "*a" * 60
    before = JOB.replace("on: push", "on:\n  push:\n")
    after = before.replace("push:", f"push:\n    paths: ['{stars}']")
    files = {f"src/{'a' * 200}/{n}.py": "" for n in range(50)}
    change = Change({WORKFLOW: before, **files}, {WORKFLOW: after, **files})
    report = Orchestrator(Registry().including(Pipelines())).run(change)
    assert [finding.rule.id for finding in report.findings] == ["ci.masked"]


def test_a_long_workflow() -> None:
    steps = "".join(f"      - run: pytest tests/{n} || true\n" for n in range(2_000))
    assert _verdict(WORKFLOW, JOB, JOB + steps) is Verdict.PASS
