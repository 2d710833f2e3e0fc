"""What conftests and settings take away is seen, and what they leave alone is left alone."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from collections.abc import Mapping

import pytest

from benchhygiene import Orchestrator, Registry, Report, Severity
from benchhygiene.evidence import Change
from benchhygiene_plugins.configuration import Configuration, NodesDeselected
from tests.configuration.steering import (
    INNOCENT_CONFTESTS,
    SETTINGS,
    TAKING_CONFTESTS,
    TREE,
)

RECORDER = """\
def pytest_runtest_logstart(nodeid, location):
    with open("ran.txt", "a") as ran:
        ran.write(nodeid + "\\n")
"""
#: Settings that take nothing away.
INNOCENT_SETTINGS = {
    "k_all",
    "m_absent",
    "deselect_absent",
    "ignore_absent",
    "functions_same",
    "files_same",
    "testpaths_absent",
    "hidden_ini_loses",
    "tox_loses",
    "value_is_no_path",
    "last_keyword_wins",
    "quiet",
}
#: What is said to take away all, as nobody can tell which.
CONDITIONAL = {"hashed"}
#: Where a hook sets an option too late for the mark it gives.
LATE = {"marked_in_hook"}


def report(candidate: Mapping[str, str]) -> Report:
    found = Orchestrator(Registry().including(Configuration())).run(Change(TREE, candidate))
    found.raise_for_crashes()
    return found


def deselected(candidate: Mapping[str, str]) -> list[NodesDeselected]:
    findings = report(candidate).of(NodesDeselected)
    return [one for one in findings if one.severity is Severity.ERROR]


def conftest(text: str) -> dict[str, str]:
    return {**TREE, "tests/conftest.py": text}


@pytest.mark.parametrize("name", TAKING_CONFTESTS)
def test_what_takes_tests_away_is_seen(name: str) -> None:
    found = deselected(conftest(TAKING_CONFTESTS[name]))
    assert found
    assert {one.locations[0].path for one in found} == {"tests/conftest.py"}


@pytest.mark.parametrize("name", INNOCENT_CONFTESTS)
def test_what_leaves_tests_alone_is_no_error(name: str) -> None:
    found = report(conftest(INNOCENT_CONFTESTS[name]))
    assert [one for one in found.findings if one.severity is Severity.ERROR] == []
    assert [one for one in found.findings if one.rule.id == "config.unseen"] == []


@pytest.mark.parametrize("name", SETTINGS)
def test_settings(name: str) -> None:
    found = deselected({**TREE, **SETTINGS[name]})
    assert bool(found) is (name not in INNOCENT_SETTINGS)
    assert {one.locations[0].path for one in found} <= {*SETTINGS[name]}


def ran(files: Mapping[str, str], where: pathlib.Path) -> set[str]:
    """Return the nodes that the installed pytest runs."""
    for path, text in {**files, "recorder.py": RECORDER}.items():
        target = where / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    environ = {"PATH": os.environ.get("PATH", ""), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "recorder"],
        cwd=where,
        env={**environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        timeout=120,
        check=False,
    )
    record = where / "ran.txt"
    return set(record.read_text(encoding="utf-8").split()) if record.exists() else set()


@pytest.mark.full
@pytest.mark.parametrize(
    "files",
    [
        *(
            pytest.param({"tests/conftest.py": text}, id=name)
            for name, text in (TAKING_CONFTESTS | INNOCENT_CONFTESTS).items()
            if name not in CONDITIONAL | LATE
        ),
        *(pytest.param(files, id=name) for name, files in SETTINGS.items()),
    ],
)
def test_it_is_what_pytest_does(files: dict[str, str], tmp_path: pathlib.Path) -> None:
    lost = ran(TREE, tmp_path / "parent") - ran({**TREE, **files}, tmp_path / "candidate")
    assert sum(one.count for one in deselected({**TREE, **files})) == len(lost)
