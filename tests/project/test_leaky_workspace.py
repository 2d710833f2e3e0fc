"""The bundled example does what the README says, judged by the pytest that runs this test."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Sequence

import pytest

ROOT = pathlib.Path(__file__).parents[2]
TARGET = "tests/test_slugs.py"


@pytest.fixture
def workspace(tmp_path: pathlib.Path) -> pathlib.Path:
    """Return a copy, for pytest-cov writes where it runs."""
    host = shutil.copytree(ROOT / "examples" / "leaky_workspace", tmp_path / "host")
    return host / "attempts" / "7" / "workspace"


def _pytest(workspace: pathlib.Path, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    unset = {"PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"}
    environ = {name: value for name, value in os.environ.items() if name not in unset}
    return subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=workspace,
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_suite_passes_where_nothing_is_inherited(workspace: pathlib.Path) -> None:
    assert _pytest(workspace, ["-o", "addopts=", TARGET]).returncode == 0


def test_the_hosts_coverage_gate_fails_the_passing_suite(workspace: pathlib.Path) -> None:
    ran = _pytest(workspace, [TARGET])
    assert ran.returncode == 1
    assert "Required test coverage of 85% not reached" in ran.stdout + ran.stderr
