"""The total that the real pytest-cov measures in a workspace lies within the bounds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchhygiene import sources
from benchhygiene_plugins.ini_chain import resolve
from tests.ini_chain.covered import WORKSPACES


def _measured(workspace: Path, target: str) -> float:
    """Return the total in percent; without any data it counts as 0."""
    report = workspace.parent / "total.json"
    words = ["-p", "no:cacheprovider", f"--cov-report=json:{report}", target]
    subprocess.run(
        [sys.executable, "-B", "-m", "pytest", *words],
        cwd=workspace,
        env={"PATH": os.environ.get("PATH", "")},
        capture_output=True,
        timeout=120,
        check=False,
    )
    if not report.exists():
        return 0.0
    total: float = json.loads(report.read_text(encoding="utf-8"))["totals"]["percent_covered"]
    return total


def _answers(workspace: Path, target: str, floor: float) -> set[bool | None]:
    args = [target, f"--cov-fail-under={floor}"]
    resolution = resolve(sources.invocation(workspace, args, environ={}))
    assert resolution.abort is None
    return {effect.fails for effect in resolution.effects if effect.rule == "ini.coverage_gate"}


@pytest.mark.full
@pytest.mark.parametrize("name", WORKSPACES)
def test_a_floor_is_never_misjudged(name: str, tmp_path: Path) -> None:
    files, options = WORKSPACES[name]
    workspace = tmp_path / "ws"
    for path, text in {**files, "pytest.ini": f"[pytest]\naddopts = {options}\n"}.items():
        target = workspace / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    test = next(path for path in files if Path(path).name.startswith("test_"))
    answers = {floor: _answers(workspace, test, floor) for floor in (1, 25, 45, 65, 85, 99)}
    total = _measured(workspace, test)
    for floor, found in answers.items():
        assert len(found) == 1
        if round(total) != floor:
            assert found <= {None, total < floor}, (floor, total)
