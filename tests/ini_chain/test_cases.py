"""The cases hold, and what they predict is what the installed pytest does with the same files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchhygiene import PytestInvocation, sources
from benchhygiene.testing import Case, run_cases
from benchhygiene_plugins.ini_chain import IniChain, resolve

CASES = IniChain().cases


def _evidence(case: Case) -> PytestInvocation:
    (invocation,) = case.evidence
    assert isinstance(invocation, PytestInvocation)
    return invocation


def test_every_rule_has_its_cases() -> None:
    run_cases(IniChain(), CASES)


def test_importing_the_analyzer_does_not_import_its_cases() -> None:
    code = "import sys, benchhygiene_plugins.ini_chain as p; p.IniChain(); print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert "benchhygiene_plugins.ini_chain.analyzer" in ran.stdout.split()
    assert "benchhygiene_plugins.ini_chain.cases" not in ran.stdout.split()


@pytest.mark.full
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_installed_pytest_does_what_is_predicted(case: Case, tmp_path: Path) -> None:
    """The case's own version and plugins do not matter here: this environment's are predicted."""
    given = _evidence(case)
    for path, entry in given.files.entries.items():
        if entry.data is not None:
            target = tmp_path / path.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(entry.data)
    workspace = tmp_path / given.cwd.lstrip("/")
    environ = dict(given.environ)
    predicted = resolve(sources.invocation(workspace, given.args, environ=environ))
    status = _run(workspace, given.args, environ)
    assert predicted.fails_passing_suite in (None, status != 0)
    if predicted.abort is not None:
        assert predicted.abort.exit_status == status


def _run(workspace: Path, args: tuple[str, ...], environ: dict[str, str]) -> int:
    return subprocess.run(
        [sys.executable, "-B", "-m", "pytest", *args],
        cwd=workspace,
        env={"PATH": os.environ.get("PATH", ""), **environ},
        capture_output=True,
        timeout=120,
        check=False,
    ).returncode
