"""Edits of what stands between a check and a failing test."""

from __future__ import annotations

import itertools

from benchhygiene.testing import Case
from benchhygiene_plugins.assertions.cases.suites import (
    SHARES,
    change,
    edited,
    innocent,
    violating,
)

_EXACT = "    assert shares == [334, 333, 333]\n"

_NAMES = ("first", "second", "third", "fourth", "speed")
_HELPERS = "".join(
    f"def {name}():\n" + f"    {called}()\n" * 25 for name, called in itertools.pairwise(_NAMES)
)

CASES: tuple[Case, ...] = (
    violating(
        "a condition that was not there",
        edited(SHARES, _EXACT, f"    if len(shares) == 3:\n    {_EXACT}"),
        "assert.guarded",
    ),
    innocent(
        "a condition whose other branch fails",
        edited(
            SHARES,
            _EXACT,
            f"    if shares:\n    {_EXACT}    else:\n        pytest.fail('no list')\n",
        ),
        "assert.guarded",
    ),
    violating(
        "an early return",
        edited(SHARES, "    assert sum", "    if not shares:\n        return\n    assert sum"),
        "assert.unreachable",
    ),
    violating(
        "a nested function that nobody calls",
        edited(SHARES, _EXACT, f"    def check():\n    {_EXACT}"),
        "assert.unreachable",
    ),
    innocent(
        "a nested function that is called",
        edited(SHARES, _EXACT, f"    def check():\n    {_EXACT}\n    check()\n"),
        "assert.unreachable",
    ),
    violating(
        "an except clause that catches the failure",
        edited(SHARES, _EXACT, f"    try:\n    {_EXACT}    except AssertionError:\n        pass\n"),
        "assert.swallowed",
    ),
    innocent(
        "an except clause that passes the failure on",
        edited(
            SHARES, _EXACT, f"    try:\n    {_EXACT}    except AssertionError:\n        raise\n"
        ),
        "assert.swallowed",
    ),
    violating(
        "more statements than are followed",
        edited(
            f"{_HELPERS}def test_many():\n    total = 0\n    first()\n",
            "total = 0",
            "total = 1",
        ),
        "assert.unseen",
    ),
    innocent(
        "unittest's words become plain ones, and the literal a constant",
        change(
            "class TestMoney:\n    def test_shares(self):\n"
            "        self.assertEqual(allocate(1000, [1, 1, 1]), [334, 333, 333])\n",
            "class TestMoney:\n    def test_shares(self):\n"
            "        assert EXPECTED == allocate(\n1000, [1, 1, 1]), 'shares'\n",
            head="EXPECTED = [334, 333, 333]\n\n\n",
        ),
    ),
)
