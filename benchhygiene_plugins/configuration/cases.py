"""A violating and an innocent example of every rule, as evidence literals."""

from __future__ import annotations

import datetime

from benchhygiene import Verdict
from benchhygiene.evidence import AllowedAction, AsOf, Change, Ledger, LedgerEntry
from benchhygiene.testing import Case, case
from benchhygiene_plugins.configuration.findings import (
    CHANGED,
    DESELECTED,
    LOWERED,
    RERUN,
    UNSEEN,
)

_SUITE = """\
import pytest

def test_parse():
    assert int("5") == 5

def test_render():
    assert str(5) == "5"
"""
_INI = "[pytest]\naddopts = --strict-markers\n"
_TREE = {"pytest.ini": _INI, "tests/test_parse.py": _SUITE}
_COVERAGE = "[report]\nfail_under = 90\n"


def _edited(**files: str) -> Change:
    names = {"ini": "pytest.ini", "conftest": "tests/conftest.py", "suite": "tests/test_parse.py"}
    names["coverage"] = ".coveragerc"
    parent = {**_TREE, ".coveragerc": _COVERAGE}
    return Change(parent, {**parent, **{names[name]: text for name, text in files.items()}})


_LEDGER = Ledger(
    [
        LedgerEntry(
            node_id="tests/test_parse.py::test_render",
            first_seen=datetime.date(2026, 9, 18),
            expires=datetime.date(2099, 12, 31),
            signature="AssertionError",
            owner="payments",
            allowed_action=AllowedAction.QUARANTINE,
        )
    ]
)
_TODAY = AsOf(datetime.date(2026, 10, 1))
_FLAKY = _SUITE.replace("def test_render", "@pytest.mark.flaky(reruns=3)\ndef test_render")

_SELECTION: tuple[Case, ...] = (
    case(
        "a hook filters the items",
        _edited(
            conftest="def pytest_collection_modifyitems(items):\n"
            "    items[:] = [item for item in items if 'parse' in item.name]\n"
        ),
        reports=[DESELECTED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a hook sorts the items",
        _edited(
            conftest="def pytest_collection_modifyitems(items):\n"
            "    items[:] = sorted(items, key=lambda item: item.name)\n"
        ),
        reports=[CHANGED],
        innocent_of=[DESELECTED],
        verdict=Verdict.PASS,
    ),
    case(
        "-k leaves a test out",
        _edited(ini=_INI.replace("--strict-markers", "--strict-markers -k 'not render'")),
        reports=[DESELECTED, CHANGED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the test that is left out is quarantined",
        _edited(
            ini=f"{_INI}\t--deselect tests/test_parse.py::test_render\n",
        ),
        _LEDGER,
        _TODAY,
        reports=[DESELECTED, CHANGED],
        verdict=Verdict.PASS,
    ),
)
_STRICTNESS: tuple[Case, ...] = (
    case(
        "strict markers are switched off",
        _edited(ini="[pytest]\n"),
        reports=[CHANGED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "strict markers are spelled otherwise",
        _edited(ini="[pytest]\nstrict_markers = true\n"),
        reports=[CHANGED],
        verdict=Verdict.PASS,
    ),
    case(
        "another section of the file",
        _edited(ini=f"{_INI}\n[flake8]\nmax-line-length = 100\n"),
        innocent_of=[CHANGED],
        verdict=Verdict.PASS,
    ),
    case(
        "a file that pytest cannot read",
        _edited(ini="[pytest\n"),
        reports=[UNSEEN],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "a conftest that can be read",
        _edited(conftest="import pytest\n"),
        innocent_of=[UNSEEN],
        verdict=Verdict.PASS,
    ),
    case(
        "a conftest that does not parse",
        _edited(conftest="def pytest_configure(\n"),
        reports=[UNSEEN],
        verdict=Verdict.INCONCLUSIVE,
    ),
)
_DEMANDS: tuple[Case, ...] = (
    case(
        "the floor of coverage is lowered",
        _edited(coverage="[report]\nfail_under = 60\n"),
        reports=[LOWERED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the floor of coverage is raised",
        _edited(coverage="[report]\nfail_under = 95\n"),
        innocent_of=[LOWERED],
        verdict=Verdict.PASS,
    ),
    case(
        "a mark has a test run again",
        _edited(suite=_FLAKY),
        reports=[RERUN],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the test that is run again is quarantined",
        _edited(suite=_FLAKY),
        _LEDGER,
        _TODAY,
        reports=[RERUN],
        verdict=Verdict.PASS,
    ),
    case(
        "a mark that does nothing",
        _edited(suite=_FLAKY.replace("flaky(reruns=3)", "slow")),
        innocent_of=[RERUN],
        verdict=Verdict.PASS,
    ),
)

CASES: tuple[Case, ...] = (*_SELECTION, *_STRICTNESS, *_DEMANDS)
