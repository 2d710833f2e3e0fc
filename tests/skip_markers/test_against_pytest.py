"""What is said of the disguises is what the installed pytest does with them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.skip_markers.edits import PATH, Disguise
from tests.skip_markers.innocents import INNOCENTS
from tests.skip_markers.test_disguises import DISGUISES
from tests.skip_markers.xfail_disguises import EXAMPLES

LINE = re.compile(r"^(?P<node>\S+::\S+)(?:\[\S*\])? (?P<outcome>[A-Z]+)", re.MULTILINE)
NEEDED = "passed"


def outcomes(files: Mapping[str, str], where: Path, *args: str) -> dict[str, set[str]]:
    """Run pytest on the files; return what became of each node, its parameters together."""
    for path, text in files.items():
        target = where / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    (where / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
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
    found: dict[str, set[str]] = {}
    for line in LINE.finditer(done.stdout):
        found.setdefault(line["node"].partition("[")[0], set()).add(line["outcome"])
    return found


def _quieted(given: Disguise, where: Path) -> set[str]:
    """Return the nodes that passed in the parent and do not simply pass in the candidate."""
    before = outcomes(given.parent, where / "parent", PATH)
    after = outcomes(given.candidate, where / "candidate", PATH)
    return {
        node
        for node, was in before.items()
        if was != after.get(node) and after.get(node) != {"PASSED"}
    }


@pytest.mark.full
@pytest.mark.parametrize("given", DISGUISES, ids=lambda one: f"{one.rule}-{one.name}")
def test_pytest_does_not_run_them(given: Disguise, tmp_path: Path) -> None:
    assert _quieted(given, tmp_path) == given.node_ids


@pytest.mark.full
@pytest.mark.parametrize("given", INNOCENTS, ids=lambda one: one.name)
def test_pytest_runs_them(given: Disguise, tmp_path: Path) -> None:
    assert _quieted(given, tmp_path) <= {f"{PATH}::test_one"} and (
        _quieted(given, tmp_path) == set() or "xfail" in given.name
    )


@pytest.mark.full
@pytest.mark.parametrize("source", [one[1] for one in EXAMPLES if one[0] != "block"])
def test_pytest_skips_the_example(source: str, tmp_path: Path) -> None:
    failing = source.replace("number * 2", "number * 3").replace("1 + 1\n", "1 + 2\n")
    broken = {"shop.py": failing}
    assert outcomes({"shop.py": source}, tmp_path, "--doctest-modules", "shop.py")
    assert outcomes(broken, tmp_path, "--doctest-modules", "shop.py")
