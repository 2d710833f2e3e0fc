"""Of the environment only what decides the outcome becomes evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from benchhygiene import sources
from benchhygiene.evidence import PytestInvocation

Plant = Callable[[Mapping[str, str | bytes]], Path]
Take = Callable[..., PytestInvocation]


def test_secrets_stay_out(plant: Plant, take: Take) -> None:
    kept = {
        "CI": "true",
        "COVERAGE_RCFILE": "x",
        "PYTEST_ADDOPTS": "--rootdir=$ROOT",
        "PYTEST_THEME": "",
        "PYTHONPATH": "src",
        "ROOT": "/",
        "TERM": "dumb",
    }
    dropped = {
        "AWS_SECRET_ACCESS_KEY": "s",
        "HOME": "/home/someone",
        "PATH": "/bin",
        "PYTEST_CURRENT_TEST": "this one",
        "PYTHON_KEYRING_BACKEND": "s",
        "XPYTEST_ADDOPTS": "s",
    }
    root = plant({"ws/pytest.ini": "[pytest]\naddopts = $HOME\n"})
    assert dict(take(root / "ws", environ=dropped | kept).environ) == kept


def test_by_default_it_is_the_environment_of_the_process(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "-q")
    invocation = sources.invocation(plant({"x": ""}), pytest="9.2.0", plugins={})
    assert invocation.variable("PYTEST_ADDOPTS") == "-q"
    assert invocation.variable("PATH") is None


@pytest.mark.parametrize(
    ("environ", "python", "safe"),
    [
        ({}, "3.12.1", False),
        ({"PYTHONSAFEPATH": "1"}, "3.12.1", True),
        ({"PYTHONSAFEPATH": "0"}, "3.11", True),
        ({"PYTHONSAFEPATH": ""}, "3.12.1", False),
        ({"PYTHONSAFEPATH": "1"}, "3.10.2", False),
    ],
)
def test_a_safe_path_needs_a_python_that_knows_it(
    plant: Plant, environ: dict[str, str], python: str, safe: bool
) -> None:
    root = plant({"x": ""})
    invocation = sources.invocation(
        root, environ=environ, pytest="8.4.2", python=python, plugins={}
    )
    assert invocation.safe_path is safe
