"""Classes whose tests a decorator or a call decides on: never silently the wrong ones."""

from __future__ import annotations

import pytest

from benchhygiene import Change, Orchestrator, Registry, Report, Verdict
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.collection import Collection, CollectionRules, collect

PATH = "tests/test_money.py"
CASE = """\
class TestMoney(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(sum([1, 2]), 3)
"""
CHECKS = CASE.replace("TestMoney(unittest.TestCase)", "Checks")
HEAD = "import functools\nimport unittest\n\n\n"
WRAPS = """\
def traced(given):
    @functools.wraps(given)
    def inner(*args):
        return given(*args)
    return inner


"""
FACTORY = """\
def slow(seconds):
    def decorate(given):
        def inner(*args):
            return given(*args)
        return inner
    return decorate


"""
KEEPS = """\
def traced(given):
    if isinstance(given, type):
        return given
    def inner(*args):
        return given(*args)
    return inner


"""
REBINDS = """\
def traced(given):
    def inner(*args):
        return given(*args)
    inner = given
    return inner


"""
MARKS = """\
def traced(given):
    given.owner = "payments"
    return given


"""


def collected(text: str) -> Collection:
    tree = SourceTree({PATH: text})
    return collect(tree, CollectionRules.of(tree))


def judged(parent: str, candidate: str) -> Report:
    registry = Registry.discover().only("nodes")
    return Orchestrator(registry, require={"nodes"}).run(Change({PATH: parent}, {PATH: candidate}))


@pytest.mark.parametrize(
    ("decorator", "word"), [(WRAPS, "@traced\n"), (FACTORY, "@slow(3)\n")], ids=["plain", "called"]
)
def test_a_class_that_becomes_a_function_is_not_collected(decorator: str, word: str) -> None:
    parent, candidate = HEAD + decorator + CASE, HEAD + decorator + word + CASE
    assert not collected(candidate).nodes
    report = judged(parent, candidate)
    assert {one.rule.id for one in report.findings} == {"node.uncollected"}


@pytest.mark.parametrize("decorator", [KEEPS, REBINDS, MARKS], ids=["keeps", "rebinds", "marks"])
def test_a_class_that_stays_one_is_collected(decorator: str) -> None:
    parent, candidate = HEAD + decorator + CASE, HEAD + decorator + "@traced\n" + CASE
    assert [node.qualname for node in collected(candidate).nodes] == ["TestMoney.test_sum"]
    assert judged(parent, candidate).verdict is Verdict.PASS


@pytest.mark.parametrize(
    "body",
    [
        "    given.test_sum = None\n",
        "    del given.test_sum\n",
        "    given.__test__ = False\n",
        "    for name in dir(given):\n        setattr(given, name, print)\n",
        "    delattr(given, 'test_sum')\n",
    ],
)
def test_a_decorator_that_writes_tests_leaves_a_doubt(body: str) -> None:
    decorator = f"def thin(given):\n{body}    return given\n\n\n"
    parent, candidate = HEAD + decorator + CASE, HEAD + decorator + "@thin\n" + CASE
    report = judged(parent, candidate)
    assert {one.rule.id for one in report.findings} == {"node.unseen"}
    assert report.verdict is Verdict.INCONCLUSIVE
    edited = candidate.replace("assertEqual", "assertIs")
    assert judged(candidate, edited).verdict is Verdict.PASS  # as much in doubt as before


MAKE = "def made(given):\n    return [type('A', (given, unittest.TestCase), {})] * 2\n\n\n"


@pytest.mark.parametrize(
    "line", ["A, B = made(Checks)\n", "A = made(Checks)[0]\nB = made(Checks)\n"]
)
def test_a_class_that_a_call_makes_leaves_a_doubt(line: str) -> None:
    found = collected(HEAD + MAKE + CHECKS + line)
    assert {one.pattern[0] for one in found.unseen if one.is_addition} == {"A", "B"}
    gone = judged(HEAD + MAKE + CHECKS + line, HEAD + MAKE + CHECKS)
    assert gone.verdict is Verdict.INCONCLUSIVE


def test_a_class_that_inherits_its_tests_counts_as_one_with_tests() -> None:
    heir = "class Heir(Checks):\n    pass\n\n\n"
    found = collected(HEAD + MAKE + CHECKS + heir + "A, B = made(Heir)\n")
    assert {one.pattern[0] for one in found.unseen} == {"A", "B"}


def test_a_class_that_stands_inside_the_function_that_gives_it_leaves_a_doubt() -> None:
    inside = "".join(f"    {line}\n" for line in CASE.splitlines())
    factory = f"def made(number):\n{inside}    return TestMoney, TestMoney\n\n\n"
    found = collected(HEAD + factory + "A, B = made(3)\n")
    assert {one.pattern[0] for one in found.unseen} == {"A", "B"}


def test_a_class_with_a_base_that_a_call_makes_leaves_a_doubt() -> None:
    base = "Base = type('Base', (unittest.TestCase,), {})\n\n\n"
    found = collected(HEAD + base + CHECKS.replace("Checks", "Money(Base)"))
    assert [one.pattern[0] for one in found.unseen] == ["Money"]


@pytest.mark.parametrize(
    "text",
    [
        "class Table:\n    def row(self):\n        pass\n\n\nA, B = made(Table)\n",
        CHECKS + "A, B = made(3)\n",
        CHECKS + "A, B = Checks, Checks\n",
        CHECKS + "A, B = [Checks, Checks]\n",
    ],
    ids=["no tests", "another argument", "names", "list"],
)
def test_what_makes_no_test_class_leaves_none(text: str) -> None:
    assert not collected(HEAD + MAKE + text).unseen


MADE = HEAD + MAKE + CHECKS + "A, B = made(Checks)\n\n\n" + CASE


def compared(parent: str, candidate: str) -> Report:
    registry = Registry.discover().only("assertions")
    return Orchestrator(registry, require={"assertions"}).run(
        Change({PATH: parent}, {PATH: candidate})
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n\n\nclass TestMoney", "\n\n\n# what it is about\nclass TestMoney"),
        (
            "TestCase):\n    def test_sum(self):\n        self",
            "TestCase):\n    def test_sum(me):\n        me",
        ),
    ],
    ids=["a comment", "inside a known test"],
)
def test_an_edit_that_unknown_tests_do_not_see_leaves_no_doubt(old: str, new: str) -> None:
    assert MADE.replace(old, new) != MADE
    assert compared(MADE, MADE.replace(old, new)).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Checks:\n    def test_sum(self):\n        self.assertEqual(",
            "Checks:\n    def test_sum(self):\n        print(",
        ),
        ("]), 3)", "]), 4)"),
        ("made(Checks)", "made(Other)"),
        ("* 2", "[:1] * 2"),
    ],
)
def test_an_edit_that_unknown_tests_may_see_leaves_one(old: str, new: str) -> None:
    candidate = MADE.replace(old, new, 1)
    assert candidate != MADE
    rules = {one.rule.id for one in compared(MADE, candidate).findings}
    assert "assert.unseen" in rules


def test_another_metaclass_leaves_a_doubt() -> None:
    body = "    def __init__(cls, *given):\n        setattr(cls, 'test_x', print)\n\n\n"
    metas = f"class One(type):\n{body}class Two(type):\n{body}"
    parent = HEAD + metas + CASE.replace("TestCase", "TestCase, metaclass=One")
    report = compared(parent, parent.replace("metaclass=One", "metaclass=Two"))
    assert report.verdict is Verdict.INCONCLUSIVE
