"""A violating and an innocent example of every rule, as evidence literals."""

from __future__ import annotations

from benchhygiene import Change, Verdict
from benchhygiene.testing import Case, case
from benchhygiene_plugins.subjects.findings import (
    CLOCK_PATCHED,
    EQ_OVERRIDE,
    MOCK_SUBJECT,
    MOCK_UNSEEN,
    RAISES_SKIP,
    READS_ORACLE,
    SOURCE_UNSEEN,
    SPECIAL_CASE,
    TEST_AWARE,
)

_SOURCE = """\
import time


class Cart:
    def __init__(self, prices):
        self.prices = prices

    def total(self):
        return sum(self.prices)


def split(total, parts):
    share, rest = divmod(total, parts)
    return [share + (number < rest) for number in range(parts)]


def waited(start):
    return time.monotonic() - start
"""
_TESTS = """\
from cart import Cart, split


def test_total():
    assert Cart([250, 175]).total() == 425


def test_split():
    assert split(1700, 3) == [567, 567, 566]
"""
_TREE = {"src/cart.py": _SOURCE, "tests/test_cart.py": _TESTS}


def _source(old: str, new: str, *, top: str = "") -> Change:
    """Return a change of the source in one place, and of what it imports."""
    return Change(_TREE, {**_TREE, "src/cart.py": f"{top}{_SOURCE.replace(old, new)}"})


def _tests(old: str, new: str) -> Change:
    return Change(_TREE, {**_TREE, "tests/test_cart.py": _TESTS.replace(old, new)})


_CLASS = "    def total(self):\n"
_SPLIT = "    share, rest = divmod(total, parts)\n"

_MOCKS: tuple[Case, ...] = (
    case(
        "a function of the tests stands in front of the import",
        _tests(
            "import Cart, split\n", "import Cart, split\n\nsplit = lambda *a: [567, 567, 566]\n"
        ),
        reports=[MOCK_SUBJECT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a function of the tests calls what is imported",
        _tests("import Cart, split\n", "import Cart, split as _split\n\nsplit = _split\n"),
        innocent_of=[MOCK_SUBJECT],
        verdict=Verdict.PASS,
    ),
    case(
        "a test that does not parse",
        _tests("def test_total():", "def test_total(:"),
        reports=[MOCK_UNSEEN],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "a test in other words",
        _tests("assert Cart([250, 175]).total() == 425", "assert 425 == Cart([250, 175]).total()"),
        innocent_of=[MOCK_UNSEEN],
    ),
)

_SOURCES: tuple[Case, ...] = (
    case(
        "an object that equals all",
        _source(_CLASS, f"    def __eq__(self, other):\n        return True\n\n{_CLASS}"),
        reports=[EQ_OVERRIDE],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "an object that compares what it holds",
        _source(
            _CLASS,
            "    def __eq__(self, other):\n"
            f"        return isinstance(other, Cart) and self.prices == other.prices\n\n{_CLASS}",
        ),
        innocent_of=[EQ_OVERRIDE],
        verdict=Verdict.PASS,
    ),
    case(
        "the modules are asked for pytest",
        _source(
            _SPLIT,
            f'    if "pytest" in sys.modules:\n        parts = 3\n{_SPLIT}',
            top="import sys\n",
        ),
        reports=[TEST_AWARE],
    ),
    case(
        "the modules are asked for an optional one",
        _source(
            _SPLIT,
            f'    if "numpy" in sys.modules:\n        parts = +parts\n{_SPLIT}',
            top="import sys\n",
        ),
        innocent_of=[TEST_AWARE],
    ),
    case(
        "a test's question is answered by heart",
        _source(_SPLIT, f"    if total == 1700:\n        return [567, 567, 566]\n{_SPLIT}"),
        reports=[SPECIAL_CASE],
    ),
    case(
        "nothing is split into nothing",
        _source(_SPLIT, f"    if total == 0:\n        return [0] * parts\n{_SPLIT}"),
        innocent_of=[SPECIAL_CASE],
    ),
    case(
        "the clock is another function",
        _source("\n\nclass Cart", "\n\ntime.monotonic = lambda: 0.0\n\n\nclass Cart"),
        reports=[CLOCK_PATCHED],
    ),
    case(
        "another clock is read",
        _source("time.monotonic()", "time.perf_counter()"),
        innocent_of=[CLOCK_PATCHED],
    ),
    case(
        "a split that cannot be made skips",
        _source(
            _SPLIT,
            f"    if parts < 1:\n        raise unittest.SkipTest\n{_SPLIT}",
            top="import unittest\n",
        ),
        reports=[RAISES_SKIP],
    ),
    case(
        "a split that cannot be made is an error",
        _source(_SPLIT, f"    if parts < 1:\n        raise ValueError(parts)\n{_SPLIT}"),
        innocent_of=[RAISES_SKIP],
    ),
    case(
        "the tests are read",
        _source(_SPLIT, f'    open("tests/test_cart.py").read()\n{_SPLIT}'),
        reports=[READS_ORACLE],
    ),
    case(
        "a file of the product's own is read",
        _source(_SPLIT, f'    open("src/rates.json").read()\n{_SPLIT}'),
        innocent_of=[READS_ORACLE],
    ),
    case(
        "a source that does not parse",
        _source(_SPLIT, f"    if :\n{_SPLIT}"),
        reports=[SOURCE_UNSEEN],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "a source with a comment",
        _source(_SPLIT, f"    # the first ones get the rest\n{_SPLIT}"),
        innocent_of=[SOURCE_UNSEEN],
    ),
)

CASES: tuple[Case, ...] = (*_MOCKS, *_SOURCES)
