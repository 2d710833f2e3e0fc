"""What is said of the disguises is what the installed pytest does with them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.skip_markers.edits import PATH, SHOP, Disguise
from tests.skip_markers.innocents import INNOCENTS
from tests.skip_markers.near_misses import INNOCENT
from tests.skip_markers.test_disguises import DISGUISES
from tests.skip_markers.xfail_disguises import EXAMPLES

LINE = re.compile(r"^(?P<node>\S+::\S+) (?P<outcome>[A-Z]+)", re.MULTILINE)
# What an expectation comes to that was made strict, or whose test runs again.
LOUDER = (("XPASS", "FAILED"), ("XFAIL", "XPASS"))
pytestmark = pytest.mark.full


def outcomes(files: Mapping[str, str], where: Path, *args: str) -> dict[str, str]:
    """Run pytest on the files; return what became of each node."""
    for path, text in {"pytest.ini": "[pytest]\n", **files}.items():
        target = where / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-W", "ignore", *args],
        cwd=where,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in (0, 1, 5), done.stdout + done.stderr
    return {line["node"]: line["outcome"] for line in LINE.finditer(done.stdout)}


def _broken(files: Mapping[str, str]) -> dict[str, str]:
    return {path: text.replace("1 + 1 == 2", "1 + 1 == 3") for path, text in files.items()}


def _quieted(given: Disguise, where: Path) -> set[str]:
    """Return the parent's nodes that no longer pass, or no longer fail where they should."""
    before = outcomes(given.parent, where / "parent", PATH)
    after = outcomes(given.candidate, where / "candidate", PATH)
    quiet = {
        node.partition("[")[0]
        for node, was in before.items()
        if was != after.get(node) != "PASSED"
        and was != "SKIPPED"
        and (was, after.get(node)) not in LOUDER
    }
    if quiet:
        return quiet
    failed = outcomes(_broken(given.parent), where / "broken parent", PATH)
    spared = outcomes(_broken(given.candidate), where / "broken candidate", PATH)
    return {
        node.partition("[")[0]
        for node, was in failed.items()
        if was == "FAILED" and spared.get(node) != "FAILED"
    }


@pytest.mark.parametrize("given", DISGUISES, ids=lambda one: f"{one.rule}-{one.name}")
def test_pytest_does_not_run_them(given: Disguise, tmp_path: Path) -> None:
    assert _quieted(given, tmp_path) == given.node_ids


@pytest.mark.parametrize("given", [*INNOCENTS, *INNOCENT], ids=lambda one: one.name)
def test_pytest_runs_them(given: Disguise, tmp_path: Path) -> None:
    assert _quieted(given, tmp_path) == set()


@pytest.mark.parametrize(("name", "source"), [one[:2] for one in EXAMPLES])
def test_pytest_does_not_run_the_example(name: str, source: str, tmp_path: Path) -> None:
    """One answer, made wrong, fails in the parent and does not in the candidate."""
    if name == "block":
        pytest.skip("a directive of an extension that is not installed")
    if name == "exception":
        pytest.skip("pytest fails an example that raises it: what follows does not run, but loudly")
    assert any(
        _spares(source, right, tmp_path / right.strip()) for right in ("2\n", "    4\n", "    6\n")
    )


def _spares(source: str, right: str, where: Path) -> bool:
    """Return whether a wrong answer is found in the parent's examples only."""
    found = (
        outcomes(
            {"shop.py": text.replace(f"\n{right}", f"\n{right.replace(right.strip(), '9')}")},
            where / side,
            "--doctest-modules",
            "shop.py",
        )
        for side, text in (("parent", SHOP), ("candidate", source))
    )
    was, now = ("FAILED" in one.values() for one in found)
    return was and not now
