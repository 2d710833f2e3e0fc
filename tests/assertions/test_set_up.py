"""What only a fixture or a set-up changed is said at the fixture, not for every test."""

from __future__ import annotations

import pytest

from tests.assertions.judged import PATH, body, found, rules

CONFTEST = "tests/conftest.py"
FIXTURE = "import pytest\n\n\n@pytest.fixture\ndef client(tmp_path):\n"
MADE = FIXTURE + "    made = Client(tmp_path)\n    return made\n"
FED = "def test_it(client):\n    client.load()\n    assert client.answer() == 4\n"
SET_UP = "import unittest\n\n\nclass TestIt(unittest.TestCase):\n    def setUp(self):\n"
SET_UP_TEST = "\n    def test_it(self):\n        assert area(self.size) == 4\n"


@pytest.mark.parametrize(
    "after",
    [
        pytest.param("    made = Client(tmp_path, retries=3)\n    return made\n", id="input"),
        pytest.param("    made = Client(tmp_path)\n    made.seed(1)\n    return made\n", id="more"),
        pytest.param("    if tmp_path:\n        return Client()\n    return None\n", id="choice"),
        pytest.param("    yield Client(4)\n", id="another value"),
    ],
)
@pytest.mark.parametrize("test", [FED, FED.replace("== 4", "==  (4)")])
def test_a_test_below_another_fixture_is_not_reported(after: str, test: str) -> None:
    assert not rules(FED, test, {CONFTEST: MADE}, {CONFTEST: FIXTURE + after})


def test_a_set_up_is_like_a_fixture() -> None:
    old = f"{SET_UP}        self.size = 2\n{SET_UP_TEST}"
    assert not rules(old, old.replace("size = 2", "size = 3"))


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("assert client.answer() == 5", "assert.expected_changed"),
        ("assert client.answer()", "assert.weakened"),
        ("client.answer()", "assert.removed"),
        ("assert client.answer() == 4 or True", "assert.tautology"),
        ("client.answer = Client\n    assert client.answer() == 4", "assert.input_changed"),
    ],
)
def test_an_edit_of_the_test_itself_is_found_below_another_fixture(line: str, rule: str) -> None:
    new = FED.replace("assert client.answer() == 4", line)
    after = {CONFTEST: FIXTURE + "    return Client(tmp_path, retries=3)\n"}
    assert rule in rules(FED, new, {CONFTEST: MADE}, after)


def test_what_a_fixture_asserts_is_reported_once_at_the_fixture() -> None:
    asserting = MADE.replace("    return", "    assert made.status == 200\n    return")
    tests = FED + FED.replace("test_it", "test_other")
    (finding,) = found(tests, tests, {CONFTEST: asserting}, {CONFTEST: MADE})
    assert finding.rule.id == "assert.removed"
    assert finding.locations[0].path == CONFTEST


def test_a_check_that_a_fixture_makes_dead_is_reported() -> None:
    fixture = FIXTURE.replace("client(tmp_path)", "wanted()") + "    return True\n"
    old = "def test_it(wanted):\n    if wanted:\n        assert area(2) == 4\n"
    after = {CONFTEST: fixture.replace("return True", "return False")}
    assert rules(old, old, {CONFTEST: fixture}, after) == {"assert.unreachable"}


def test_how_long_others_are_waited_for_is_no_input() -> None:
    old = body("done = wait([area(2)], timeout=1)", "assert done == 4")
    head = "from concurrent.futures import wait\n\n\n"
    assert not rules(head + old, head + old.replace("=1)", "=5)"))
    assert rules(head + old, head + old.replace("=1)", "=0)"))


def test_a_check_that_was_idle_for_a_parameter_set_is_not_what_became_of_another() -> None:
    head = "import pytest\n\n\n@pytest.mark.parametrize('n', [0, 1, 2])\ndef test_it(n):\n"
    old = head + "    if n:\n        assert area(n) == 4\n"
    new = old.replace("area(n)", "area(n, 3)")
    assert rules(old, new) == {"assert.input_changed"}


def test_a_signature_is_found_through_star_imports() -> None:
    package = {
        "lib/__init__.py": "from .core import Client\n",
        "lib/core.py": "class Client:\n    def __init__(self, url, wait=1):\n        pass\n",
    }
    old = "import lib\n\n\ndef test_it():\n    assert lib.Client('u', wait=3).url == 'u'\n"
    after = {"lib/__init__.py": "from .core import *\n"}
    new = old.replace("'u', wait=3", "url='u', wait=3")
    assert not rules(old, new, package, after)
    assert rules(old, new.replace("wait=3", "wait=4"), package, after)


def test_the_file_of_the_tests_is_the_one_that_is_judged() -> None:
    (finding,) = found(FED, FED.replace("== 4", "== 5"), {CONFTEST: MADE}, {CONFTEST: MADE})
    assert finding.locations[0].path == PATH


@pytest.mark.parametrize(
    ("line", "is_innocent"),
    [
        ("assert same(area(2), 4, strict=True)", True),
        ("assert same(area(2), 4, strict=False)", False),
        ("assert same(area(2), 4, loose=True)", False),
        ("assert same(area(3), 4, strict=True)", False),
        ("assert not same(area(2), 4, strict=True)", False),
    ],
)
def test_a_comparison_may_be_made_stricter_by_a_word(line: str, is_innocent: bool) -> None:
    broken = rules(body("assert same(area(2), 4)"), body(line))
    assert is_innocent is not bool(broken)


def test_no_comparison_may_lose_the_word_or_be_stricter_about_what_differs() -> None:
    assert rules(body("assert same(area(2), 4, strict=True)"), body("assert same(area(2), 4)"))
    negative = body("assert not same(area(2), 4)")
    assert rules(negative, negative.replace("4)", "4, strict=True)"))
