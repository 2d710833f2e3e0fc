"""The small suite every case edits."""

from __future__ import annotations

from benchhygiene.evidence.tree import Change
from benchhygiene.testing import Case, case
from benchhygiene_plugins.assertions.findings import RULES

SHARES = """\
def test_shares():
    shares = allocate(1000, [1, 1, 1])
    assert sum(shares) == 1000
    assert shares == [334, 333, 333]
"""
REJECTS = """\
def test_rejects():
    with pytest.raises(MoneyError, match="not a number"):
        parse("twelve")
"""
SPEED = """\
def test_speed():
    assert speed(100, 8) == pytest.approx(12.5, rel=1e-9)
"""
_HEAD = """\
import pytest
from money import MoneyError, allocate, parse, speed


"""
_SOURCE = """\
class MoneyError(ValueError):
    pass


def allocate(cents, weights): ...


def parse(text): ...


def speed(metres, seconds): ...
"""
TEST = "tests/test_money.py"


def change(old: str, new: str, *, head: str = "") -> Change:
    """Return the change of one test; ``head`` is what the patch adds above it."""
    parent = {"src/money.py": _SOURCE, TEST: f"{_HEAD}{old}"}
    return Change(parent, {**parent, TEST: f"{_HEAD}{head}{new}"})


def edited(old: str, before: str, after: str, *, head: str = "") -> Change:
    """Return the change that writes one part of a test anew."""
    return change(old, old.replace(before, after), head=head)


def violating(name: str, given: Change, *rules: str) -> Case:
    """Return a case that reports these rules."""
    return case(name, given, reports=rules)


def innocent(name: str, given: Change, *rules: str) -> Case:
    """Return a case that reports nothing; by default it is the twin of every rule."""
    return case(name, given, innocent_of=rules or [rule.id for rule in RULES])
