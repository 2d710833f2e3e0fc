"""A small project with a repository, a witness pack of its tests, and candidates for it."""

from __future__ import annotations

import json
import pathlib
import subprocess
from collections.abc import Mapping

import attrs

from benchhygiene import cli

SOURCE = '''\
import json
import pathlib

RATES = json.loads((pathlib.Path(__file__).parent.parent / "data/rates.json").read_text())


def total(prices, country):
    """Return the sum with tax, in whole cents."""
    if not prices:
        return 0
    return round(sum(prices) * (100 + RATES[country]) / 100)
'''
TESTS = """\
import json
import pathlib

import pytest
from till.tax import total

SEEN = pathlib.Path(__file__).parent / "data" / "seen.json"


def test_tax_is_added():
    assert total([100, 200], "de") == 357


def test_bills_that_were_seen():
    for bill in json.loads(SEEN.read_text()):
        assert total(bill["prices"], bill["country"]) == bill["total"]


def test_nothing_costs_nothing():
    assert total([], "de") == 0


@pytest.mark.parametrize(("country", "cents"), [("de", 119), ("at", 120)])
def test_each_country_has_its_rate(country, cents):
    assert total([100], country) == cents
"""
PROPERTIES = """\
from hypothesis import given, settings, strategies as st
from till.tax import total


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 10_000)))
def test_tax_never_lowers_a_total(prices):
    assert total(prices, "de") >= sum(prices)
"""
FLAKY = """\
import os
import pathlib
from till.tax import total


def test_sometimes():
    assert total([100], "de") == 119
    assert not pathlib.Path("till/unsteady.py").exists(), "slow clock"
"""
FILES: Mapping[str, str] = {
    "till/__init__.py": "",
    "till/tax.py": SOURCE,
    "data/rates.json": '{"at": 20, "de": 19}\n',
    "tests/data/seen.json": '[{"prices": [50, 50], "country": "at", "total": 120}]\n',
    "tests/test_tax.py": TESTS,
    "tests/test_properties.py": PROPERTIES,
    "tests/test_unsteady.py": FLAKY,
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-q'\n",
}
ENTRY = {
    "node_id": "tests/test_unsteady.py::test_sometimes",
    "first_seen": "2026-11-01",
    "expires": "2026-12-31",
    "signature": "AssertionError: slow clock",
    "owner": "payments",
    "allowed_action": "quarantine",
}


@attrs.frozen
class Till:
    """Where the parent lies, the pack's archive, and its digest."""

    root: pathlib.Path
    parent: pathlib.Path
    archive: pathlib.Path
    sha256: str

    @property
    def uri(self) -> str:
        """Return the pinned archive."""
        return f"{self.archive}#sha256={self.sha256}"

    def candidate(self, name: str, edits: Mapping[str, str | None]) -> pathlib.Path:
        """Lay the parent out once more, with these edits; None deletes."""
        return lay(self.root / name, {**FILES, **edits})

    def score(self, candidate: pathlib.Path, *more: str) -> int:
        """Run the command as people do, with the parent beside the candidate."""
        words = ("--pack", self.uri, "--candidate", str(candidate), "--parent", str(self.parent))
        return cli.main(("score", *words, "--date", "2026-12-01", *more))


def lay(directory: pathlib.Path, files: Mapping[str, str | None]) -> pathlib.Path:
    """Write the files below a directory."""
    for path, text in files.items():
        if text is not None:
            target = directory / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    return directory


def built(root: pathlib.Path, entries: list[dict[str, str]]) -> Till:
    """Build the pack of the parent with these ledger entries."""
    parent = lay(root / "parent", FILES)
    ledger = root / "ledger.json"
    ledger.write_text(json.dumps({"version": 1, "entries": entries}), encoding="utf-8")
    out = root / "packs"
    out.mkdir()
    words = ("pack", "build", str(parent), "--ledger", str(ledger), "--out", str(out), "--archive")
    assert cli.main(words) == 0
    (archive,) = out.glob("*.tar")
    done = subprocess.run(["sha256sum", archive], capture_output=True, text=True, check=True)
    return Till(root, parent, archive, done.stdout.split()[0])
