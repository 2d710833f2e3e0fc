"""Many spellings of every kind of edit, guilty and innocent, each on a small test.

The two text files hold one edit after another: ``=== BASE RULES``, what the patch adds above the
test after ``--- head``, then the test as it is. ``this`` means the text below ``=== old``.
"""

from __future__ import annotations

import ast
import pathlib
from collections.abc import Iterator

import attrs
import pytest

from benchhygiene import Severity
from benchhygiene.evidence.tree import Change
from benchhygiene_plugins.assertions import Assertions

HERE = pathlib.Path(__file__).parent
HEAD = """\
import pytest, unittest, contextlib, threading, asyncio
from unittest import mock
from money import MoneyError, allocate, parse, Account

"""
SOURCE = """\
class MoneyError(ValueError):
    pass


def allocate(c, w): ...


def parse(t): ...


class Account:
    def __init__(self):
        self.items = []

    def post(self, label, cents): ...

    def total(self): ...
"""
BASES = {
    "equality": """\
def test_a():
    shares = allocate(1000, [1, 1, 1])
    assert shares == [334, 333, 333]
""",
    "raises": """\
def test_a():
    with pytest.raises(MoneyError, match='bad'):
        parse('x')
""",
    "account": """\
def test_a():
    acc = Account()
    acc.post('rent', 100)
    assert acc.total() == 100
""",
    "unittest": """\
class TestA(unittest.TestCase):
    def test_a(self):
        self.assertEqual(allocate(1000, [1]), [1000])
""",
    "closeness": """\
def test_a():
    assert parse('1.5') == pytest.approx(1.5, rel=1e-9)
""",
    "mock": """\
def test_a():
    send = mock.Mock()
    Account().post(send, 1)
    send.assert_called_once_with('a', 1)
""",
}


@attrs.frozen
class Edit:
    """One edited test; ``rules`` are those of which one must be found, none for an innocent one."""

    rules: tuple[str, ...]
    old: str
    new: str
    head: str

    @property
    def added(self) -> str:
        fresh = [line.strip() for line in self.new.splitlines() if line not in self.old]
        return " / ".join(fresh)[:80] or "as it was"


def edits(name: str) -> Iterator[Edit]:
    old = ""
    for part in (HERE / name).read_text(encoding="utf-8").split("\n=== ")[1:]:
        title, _, text = part.partition("\n")
        if title == "old":
            old = f"{text.rstrip()}\n"
            continue
        base, _, rules = title.partition(" ")
        head, _, test = text.partition("--- test\n")
        before = old if base == "this" else BASES[base]
        names = tuple(rules.split("|")) if rules else ()
        yield Edit(names, before, f"{test.rstrip()}\n", head.removeprefix("--- head\n"))


def found(edit: Edit) -> set[str]:
    parent = {"src/money.py": SOURCE, "tests/test_a.py": f"{HEAD}{edit.old}"}
    after = {**parent, "tests/test_a.py": f"{HEAD}{edit.head}{edit.new}"}
    findings = Assertions().analyze(Change(parent, after))
    return {one.rule.id for one in findings if one.severity is not Severity.NOTE}


DISGUISES = tuple(edits("disguises.txt"))
INNOCENTS = tuple(edits("innocents.txt"))


def test_every_rule_has_many_disguises() -> None:
    rules = {rule.id for rule in Assertions().rules} - {"assert.unseen"}
    for rule in rules:
        assert sum(edit.rules[0] == rule for edit in DISGUISES) >= 5, rule


@pytest.mark.parametrize("edit", [*DISGUISES, *INNOCENTS], ids=lambda edit: edit.added)
def test_the_edited_test_is_python(edit: Edit) -> None:
    for text in (edit.old, f"{edit.head}{edit.new}"):
        ast.parse(text)


@pytest.mark.parametrize("edit", DISGUISES, ids=lambda edit: edit.added)
def test_a_disguised_edit_is_found(edit: Edit) -> None:
    assert found(edit) & set(edit.rules)


@pytest.mark.parametrize("edit", INNOCENTS, ids=lambda edit: edit.added)
def test_an_innocent_edit_is_let_through(edit: Edit) -> None:
    assert found(edit) == set()
