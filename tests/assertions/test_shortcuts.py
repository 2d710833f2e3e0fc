"""What is not followed, or followed once for both sides, and the near misses that must be."""

from __future__ import annotations

import pytest

from benchhygiene.evidence.tree import Change, SourceTree
from benchhygiene.inventory.collection import CollectionRules, Node, collect
from benchhygiene_plugins.assertions import inventory, judging
from benchhygiene_plugins.assertions.following import Followed, Follower
from benchhygiene_plugins.assertions.imports import imported_words
from benchhygiene_plugins.assertions.merging import Merging
from benchhygiene_plugins.assertions.modules import Project
from tests.assertions.judged import PATH, body, rules

OTHER = "\n\ndef test_other():\n    assert area(3) == 9\n"


def followed(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> tuple[list[str], bool]:
    """Return the nodes that an edit has followed, and whether it found anything."""
    seen: list[str] = []
    original = Follower.follow

    def follow(
        self: Follower,
        node: Node,
        *,
        unrolls: bool = True,
        rows: frozenset[bytes] | None = None,
        merging: Merging | None = None,
        like: Node | None = None,
        blind: bool = False,
    ) -> Followed | None:
        seen.append(node.name)
        return original(
            self, node, unrolls=unrolls, rows=rows, merging=merging, like=like, blind=blind
        )

    monkeypatch.setattr(Follower, "follow", follow)
    change = Change(SourceTree({PATH: old}), SourceTree({PATH: new}))
    return seen, bool(list(judging.judge(change)))


HELPED = "def expect(got):\n    assert got == 3\n\n\ndef test_it():\n    expect(area(2))\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(HELPED, HELPED + OTHER, id="test added"),
        pytest.param(HELPED, HELPED + "\n\ndef unused():\n    return 1\n", id="function added"),
        pytest.param(HELPED, f"import math\n{HELPED}", id="import added"),
        pytest.param(
            f"{HELPED}\n\nclass TestA:\n    def helper(self):\n        return 1\n",
            f"{HELPED}\n\nclass TestA:\n    def helper(self):\n        return 2\n",
            id="method of another class",
        ),
    ],
)
def test_what_a_test_does_not_reach_is_not_followed(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert followed(monkeypatch, old, new) == ([], False)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(HELPED, HELPED.replace("== 3", ">= 0"), id="helper"),
        pytest.param(
            HELPED.replace("assert got ==", "inner(got)\n\n\ndef inner(got):\n    assert got =="),
            HELPED.replace("assert got ==", "inner(got)\n\n\ndef inner(got):\n    assert got >="),
            id="helper of a helper",
        ),
        pytest.param(
            f"LIMIT = 3\n{HELPED.replace('== 3', '== LIMIT')}",
            f"LIMIT = 4\n{HELPED.replace('== 3', '== LIMIT')}",
            id="constant",
        ),
        pytest.param(
            f"from shapes import three as LIMIT\n{HELPED.replace('== 3', '== LIMIT')}",
            f"LIMIT = object\n{HELPED.replace('== 3', '!= LIMIT')}",
            id="import",
        ),
        pytest.param(HELPED, f"{HELPED}\n\ndef expect(got):\n    return got\n", id="shadowed"),
        pytest.param(
            HELPED.replace("expect", "e\u0301tat"),
            HELPED.replace("expect", "\u00e9tat").replace("== 3", ">= 0"),
            id="name spelt in two ways",
        ),
        pytest.param(
            "class TestA:\n    def setUp(self):\n        assert ready() == 1\n\n"
            "    def setup_method(self):\n        assert ready() == 1\n\n"
            "    def test_it(self):\n        assert area(2) == 4\n",
            "class TestA:\n    def setUp(self):\n        assert ready() == 1\n\n"
            "    def setup_method(self):\n        pass\n\n"
            "    def test_it(self):\n        assert area(2) == 4\n".replace("ready() == 1", "True"),
            id="set-up",
        ),
        pytest.param(
            "class Base:\n    def check(self, got):\n        assert got == 3\n\n\n"
            "class TestA(Base):\n    def test_it(self):\n        self.check(area(2))\n",
            "class Base:\n    def check(self, got):\n        assert got\n\n\n"
            "class TestA(Base):\n    def test_it(self):\n        self.check(area(2))\n",
            id="inherited",
        ),
        pytest.param(
            "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef clean():\n    yield\n"
            f"    assert leftovers() == []\n\n\n{body('area(2)')}",
            "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef clean():\n    yield\n"
            f"    leftovers()\n\n\n{body('area(2)')}",
            id="automatic fixture",
        ),
        pytest.param(
            "import pytest\n\n\n@pytest.fixture(name='clean')\ndef _made():\n    yield\n"
            "    assert leftovers() == []\n\n\ndef test_it(clean):\n    area(2)\n",
            "import pytest\n\n\n@pytest.fixture(name='clean')\ndef _made():\n    yield\n"
            "    leftovers()\n\n\ndef test_it(clean):\n    area(2)\n",
            id="fixture by another name",
        ),
    ],
)
def test_what_a_test_reaches_is_found(old: str, new: str) -> None:
    assert rules(old, new)


def test_a_helper_reached_through_two_files_is_found() -> None:
    others = {
        "tests/deep.py": "def expect(got):\n    assert got == 3\n",
        "tests/helpers.py": "from deep import expect as check\n\n\ndef run(x):\n    check(x)\n",
    }
    after = {"tests/deep.py": "def expect(got):\n    return got\n"}
    test = f"from helpers import run\n\n\n{body('run(area(2))')}"
    assert rules(test, test, others, after) == {"assert.removed"}


def test_a_base_class_in_a_file_that_is_the_same_is_looked_through() -> None:
    others = {
        "tests/deep.py": "class Deep:\n    def check(self, x):\n        assert x == 3\n",
        "tests/middle.py": "from deep import Deep\n\n\nclass Middle(Deep):\n    pass\n",
    }
    after = {"tests/deep.py": "class Deep:\n    def check(self, x):\n        return x\n"}
    test = (
        "from middle import Middle\n\n\nclass TestIt(Middle):\n"
        "    def test_it(self):\n        self.check(area(2))\n"
    )
    assert rules(test, test, others, after) == {"assert.removed"}


TWO = ("assert area(2) == 4", "assert area(3) == 9")
LOOP = ("for n in sizes():", "    assert area(n) == n", "    assert area(n) > 0")


@pytest.mark.parametrize(
    ("old", "new", "is_found"),
    [
        pytest.param(TWO, TWO[1:], True, id="dropped"),
        pytest.param(TWO, (*TWO, TWO[1]), False, id="doubled"),
        pytest.param(TWO, ("assert area(2) >= 4", TWO[1]), True, id="loosened"),
        pytest.param(LOOP, LOOP[:1] + LOOP[2:], True, id="dropped in a loop"),
        pytest.param(LOOP, (*LOOP[:2], LOOP[1], LOOP[2]), False, id="doubled in a loop"),
    ],
)
def test_a_test_whose_assertions_alone_differ_is_followed_once(
    old: tuple[str, ...],
    new: tuple[str, ...],
    is_found: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert followed(monkeypatch, body(*old), body(*new)) == (["test_it"], is_found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            ("x = area(2)", "assert x == 4", "assert x < 9"),
            ("x = area(2)", "assert (x := 4) == 4", "assert x < 9"),
            id="an assertion that assigns",
        ),
        pytest.param(
            ("if area(1):", "    prepare()", "    assert area(2) == 4"),
            ("if area(1):", "    prepare()", "    assert False"),
            id="a branch that fails",
        ),
        pytest.param(
            ("for n in (1, 2):", "    @repeat", "    def inner():", "        assert area(n) == n",
             "    inner()", "    assert size(n) > 5"),
            ("for n in (1, 2):", "    @swallow", "    def inner():", "        assert area(n) == n",
             "    inner()", "    assert size(n) > 5 or True"),
            id="a decorator inside",
        ),
    ],
)  # fmt: skip
def test_an_assertion_that_does_more_has_both_sides_followed(
    old: tuple[str, ...], new: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, is_found = followed(monkeypatch, body(*old), body(*new))
    assert len(seen) > 1
    assert is_found


def test_a_test_that_leads_to_itself_is_followed_on_both_sides() -> None:
    old = (
        "def test_it(n=2):\n    assert area(n) == 4\n    again()\n\n\ndef again():\n    test_it()\n"
    )
    assert rules(old, old.replace("    assert area(n) == 4\n", "")) == {"assert.removed"}


def test_eval_of_nothing_is_read() -> None:
    old = body("assert eval() == 1")
    assert rules(old, body("assert eval()"))


@pytest.mark.parametrize(("imports", "is_found"), [("import test_b", True), ("import os", False)])
def test_a_test_that_an_edited_test_of_another_file_calls_is_followed(
    imports: str, is_found: bool
) -> None:
    first = f"{imports}\ndef test_a():\n    test_b.test_b()\n    assert 1\n"
    second = "from shop import area\ndef test_b():\n    assert area(2) == 4\n"
    before = {"tests/test_a.py": first, "tests/test_b.py": second}
    after = {
        "tests/test_a.py": first.replace("assert 1", "assert 2"),
        "tests/test_b.py": second.replace("    assert", "    yield\n    assert"),
    }
    found = {one.pair.old.node_id for one in edits_of(before, after)}
    assert ("tests/test_a.py::test_a" in found) is is_found


def edits_of(before: dict[str, str], after: dict[str, str]) -> list[judging.Judged]:
    found = judging.judge(Change(before, after))
    return [one for one in found if isinstance(one, judging.Judged) and one.edits]


MAKER = (
    "class Maker:\n    def add(self, x):\n        same(x)\n\n\n"
    "def same(x):\n    assert x == 3\n\n\n"
)
ADDS = "class TestA(%s):\n    def test_it(self):\n        %s.add(area(2))\n"


@pytest.mark.parametrize(
    ("base", "on", "is_followed"),
    [
        pytest.param("object", "bag()", False, id="another's method"),
        pytest.param("object", "self", False, id="no method of the test's own"),
        pytest.param("Maker", "self", True, id="the test's own"),
        pytest.param("Maker", "bag()", True, id="another's, called as the test's own"),
    ],
)
def test_a_method_is_followed_from_the_classes_it_is_found_on(
    base: str, on: str, is_followed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = MAKER + ADDS % (base, on)
    new = old.replace("assert x == 3", "assert x")
    seen, is_found = followed(monkeypatch, old, new)
    assert bool(seen) is is_followed
    assert is_found is (is_followed and on == "self")


def test_a_method_of_a_class_that_a_test_derives_from_elsewhere_is_followed() -> None:
    others = {
        "tests/maker.py": MAKER,
        "tests/middle.py": "import maker\n\n\nclass Middle(maker.Maker):\n    pass\n",
    }
    after = {"tests/maker.py": MAKER.replace("assert x == 3", "assert x")}
    test = f"from middle import Middle\n\n\n{ADDS % ('Middle', 'self')}"
    assert rules(test, test, others, after)


SET_UP = """\
import pytest


@pytest.fixture(autouse=True)
def clean():
    assert leftovers() == 1
    yield
    assert leftovers() == 0


@pytest.fixture
def stock():
    made = Stock()
    made.fill(3)
    assert made.is_open
    return made


def test_one(stock):
    stock.sell(1)
    assert stock.count == 2


@pytest.mark.parametrize("n", [1, 2])
def test_two(stock, n):
    stock.sell(n)
    assert stock.count == 3 - n


def test_three():
    assert Stock().count == 0
"""


def test_alike_set_ups_are_done_once_and_counted_for_each_test() -> None:
    tree = SourceTree({PATH: SET_UP})
    once = {node.node_id: [one.text for one in node.checks] for node in inventory(tree).nodes}
    apart: dict[str, list[str]] = {}
    project = Project(tree)
    for node in collect(tree, CollectionRules.of(tree), [PATH]).nodes:
        alone = Follower(project).follow(node)
        assert alone is not None
        apart[node.node_id] = [one.place.text for one in alone.checks]
    assert once == apart
    assert once[f"{PATH}::test_two"].count("assert made.is_open") == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("assert leftovers() == 0", "leftovers()", id="automatic"),
        pytest.param("made.fill(3)", "made.fill(4)", id="asked for"),
        pytest.param("    assert made.is_open\n", "", id="check"),
    ],
)
def test_a_set_up_that_differs_is_found_for_every_test(old: str, new: str) -> None:
    change = Change(SourceTree({PATH: SET_UP}), SourceTree({PATH: SET_UP.replace(old, new)}))
    edited = {
        one.new.name
        for one in judging.judge(change)
        if isinstance(one, judging.Judged) and one.edits
    }
    assert {"test_one", "test_two"} <= edited


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import a.b as c, d\n", {"a", "b", "as", "c", "d"}),
        ("from a import (b, # import (c\n  d)\n", None),
        ("from a import (b, # c)\n  d)\n", {"b", "c", "d"}),
        ("from a import \\\n  (b,\n  c)\n", {"b", "c"}),
        ("from a import b, \\\n  c; import d\n", {"b", "c", "import", "d"} - {"import"}),
        ("x = 1; import a; from b import (\n  c)\n", {"a", "from", "b", "c"}),
        ('"""\n>>> from a import b\n>>> import c\n"""\nfrom d import e\n', {"e"}),
        ('"""x >>> y"""; import e\n', {"e"}),
        ("from a import *\n", {"*"}),
        ("# import (\nfrom a import b\n", None),
        ("def import_it(): ...\n", set[str]()),
        ("import \u212a\n", None),
        ("# coding: utf-7\nimport +AGE-\n", {"a"}),
        ("# coding: nothing\nimport a\n", None),
    ],
)
def test_the_words_of_imports_are_known_or_said_not_to_be(
    source: str, words: set[str] | None
) -> None:
    known = imported_words(source.encode())
    assert (known if words is None else set(known or ())) == words


@pytest.mark.parametrize("word", ["import ", "import (", ">>> from a ", "import \\\n", "(#\n"])
def test_the_words_of_many_imports_take_no_longer_than_they_are_many(word: str) -> None:
    imported_words(f"{word * 200_000}\n".encode())


def test_a_helper_that_the_code_under_test_hands_on_is_followed() -> None:
    others = {
        "src/shapes/__init__.py": '"""\n>>> import it\n"""\nfrom tests.helpers import (  # all\n'
        "    check,\n)\n\n\ndef area(x):\n    return x\n",
        "tests/helpers.py": "def check(x):\n    assert x == 4\n",
    }
    after = {"tests/helpers.py": "def check(x):\n    assert x\n"}
    test = f"from shapes import area, check\n\n\n{body('check(area(2))')}"
    assert rules(test, test, others, after)
