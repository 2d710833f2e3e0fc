"""Which code that supplies data supplies something else, and which only looks otherwise."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from tests.oracles.judging import told

HEAD = """\
import json
import os
import unittest
from pathlib import Path
from unittest import mock

import factory
import pytest
from shop import Order

DATA = Path(__file__).parent / "data"

"""
TAIL = "\ndef test_a(rows):\n    assert rows\n"
FIXTURE = "@pytest.fixture\ndef rows():\n"
READS = f'{FIXTURE}    return json.loads((DATA / "a.json").read_text(encoding="utf-8"))\n'
FILES = {
    "tests/data/a.json": "[1]",
    "tests/data/b.json": "[2]",
    "src/shop.py": "class Order: ...\n",
}

_SECTION = re.compile(r"^## (\w+) \d+\nold\n(.*?)^new\n(.*?)\n(?=## |\Z)", re.MULTILINE | re.DOTALL)


def edits(kind: str) -> list[tuple[str, str]]:
    """Return the edits of one kind, old and new."""
    text = (Path(__file__).parent / "suppliers.txt").read_text(encoding="utf-8")
    return [
        (textwrap.dedent(old), textwrap.dedent(new))
        for found, old, new in _SECTION.findall(text)
        if found == kind
    ]


HONEST, TAMPERED = edits("honest"), edits("tampered")


def test_all_edits_are_read() -> None:
    text = (Path(__file__).parent / "suppliers.txt").read_text(encoding="utf-8")
    assert len(HONEST) + len(TAMPERED) == text.count("\n## ")


def _files(code: str) -> dict[str, str]:
    return {**FILES, "tests/test_a.py": HEAD + code + TAIL}


@pytest.mark.parametrize(("old", "new"), HONEST)
def test_honest(old: str, new: str) -> None:
    assert told(_files(old), _files(new)) == []


@pytest.mark.parametrize(("old", "new"), TAMPERED)
def test_tampered(old: str, new: str) -> None:
    expected = ("fixture.code_changed", "tests/test_a.py", "error")
    assert expected in told(_files(old), _files(new))


SUPPORT = {"tests/test_a.py": "from helping import ROWS\n\ndef test_a(rows):\n    assert rows\n"}
CONFTEST = HEAD + READS
FEW = f"{HEAD}{FIXTURE}    return [1, 2]\n"
FEWER = f"{HEAD}{FIXTURE}    return [1]\n"
ASKING = f"{HEAD}@pytest.fixture\ndef other(rows):\n    return rows\n"
EXTENDING = f"{HEAD}@pytest.fixture\ndef rows(rows):\n    return [*rows, 1]\n"
TOP, TESTS, TEST = "conftest.py", "tests/conftest.py", "tests/test_a.py"
ELSEWHERE = [
    ({TESTS: CONFTEST}, {TESTS: CONFTEST.replace('"data"', '"few"')}),
    ({"tests/helping.py": "ROWS = {'a': [1, 2]}\n"}, {"tests/helping.py": "ROWS = {'a': [1]}\n"}),
    ({"tests/helping.py": "URL = 'http://a'\n"}, {"tests/helping.py": "URL = 'http://b'\n"}),
    ({TESTS: CONFTEST}, {TESTS: CONFTEST, TEST: FEWER + TAIL}),
    ({TESTS: CONFTEST, TEST: FEW + TAIL}, {TESTS: CONFTEST, TEST: HEAD + TAIL}),
    ({TOP: CONFTEST}, {TOP: CONFTEST, TESTS: FEWER}),
    ({TOP: CONFTEST, TESTS: FEWER}, {TOP: CONFTEST}),
]
KEPT = [
    ({TESTS: CONFTEST}, {TEST: CONFTEST + TAIL}),
    ({TEST: CONFTEST + TAIL}, {TEST: TAIL, TESTS: CONFTEST}),
    ({"tests/helping.py": "A = {'a': [1]}\n"}, {"tests/helping.py": "A = {'b': 2, 'a': [1]}\n"}),
    ({"tests/helping.py": "TIMEOUT = 5\n"}, {"tests/helping.py": "TIMEOUT = 10\nlog = get(1)\n"}),
    ({TESTS: CONFTEST}, {TESTS: CONFTEST, "tests/sub/conftest.py": ASKING}),
    ({TESTS: CONFTEST}, {TESTS: CONFTEST, "tests/sub/conftest.py": EXTENDING}),
]


@pytest.mark.parametrize(("old", "new"), ELSEWHERE)
def test_tampered_elsewhere(old: dict[str, str], new: dict[str, str]) -> None:
    before, after = {**FILES, **SUPPORT, **old}, {**FILES, **SUPPORT, **new}
    rules = {(rule, severity) for rule, _, severity in told(before, after)}
    assert rules == {("fixture.code_changed", "error")}


@pytest.mark.parametrize(("old", "new"), KEPT)
def test_kept_elsewhere(old: dict[str, str], new: dict[str, str]) -> None:
    assert told({**FILES, **SUPPORT, **old}, {**FILES, **SUPPORT, **new}) == []
