"""Findings point at the check that is guilty and show both texts."""

from __future__ import annotations

import pytest

from benchhygiene import Orchestrator, Registry, Severity, Verdict
from benchhygiene.evidence.tree import Change
from benchhygiene_plugins.assertions import Assertions, CheckEdited
from tests.assertions.judged import PATH, body, found, rules

HELPER = "def expect(got):\n    assert got == 3\n"
USER = "from helpers import expect\n\n\ndef test_it():\n    expect(area(2))\n"
OTHER = "\n\ndef test_other():\n    expect(area(2))\n"


def only(old: str, new: str, **more: dict[str, str]) -> CheckEdited:
    (finding,) = found(old, new, more.get("others"), more.get("after"))
    assert isinstance(finding, CheckEdited)
    return finding


def test_both_texts_stand_side_by_side() -> None:
    finding = only(body("assert area(2) == 4"), body("size = area(2)", "assert size == 5"))
    assert (finding.old_text, finding.new_text) == ("assert area(2) == 4", "assert size == 5")
    place, before = finding.locations
    assert (place.path, place.line, place.column) == (PATH, 3, 5)
    assert place.node_id == before.node_id == f"{PATH}::test_it"
    assert before.line == 2
    assert finding.verdict is Verdict.VIOLATION
    old, new = finding.fingerprints()
    assert len(old) == len(new) == 1
    assert old != new


def test_a_removed_check_is_shown_at_the_test_it_is_gone_from() -> None:
    finding = only("\n\n" + body("assert area(2) == 4"), body("area(2)"))
    assert finding.rule.id == "assert.removed"
    assert (finding.locations[0].line, finding.locations[1].line) == (1, 4)
    assert finding.new_text == ""


def test_one_edit_of_a_helper_is_one_finding_for_all_its_nodes() -> None:
    others = {"tests/helpers.py": HELPER}
    after = {"tests/helpers.py": HELPER.replace("== 3", ">= 0")}
    finding = only(USER + OTHER, USER + OTHER, others=others, after=after)
    assert finding.locations[0].path == "tests/helpers.py"
    assert finding.nodes == (f"{PATH}::test_it", f"{PATH}::test_other")
    assert "and 1 more" in finding.message


def test_another_argument_to_a_helper_is_shown_at_the_call() -> None:
    others = {"tests/helpers.py": "def expect(got, want):\n    assert got == want\n"}
    old = USER.replace("area(2)", "area(2), 3")
    finding = only(old, old.replace("3", "4"), others=others)
    assert finding.rule.id == "assert.expected_changed"
    assert finding.locations[0].path == PATH
    assert finding.new_text == "expect(area(2), 4)"


def test_a_helper_that_is_emptied_is_found_from_files_that_are_the_same() -> None:
    after = {"tests/helpers.py": "def expect(got):\n    return got\n"}
    assert rules(USER, USER, {"tests/helpers.py": HELPER}, after) == {"assert.removed"}


def test_a_conftest_that_stops_checking_is_found() -> None:
    old = "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef clean():\n    yield\n"
    others = {"tests/conftest.py": f"{old}    assert leftovers() == []\n"}
    test = body("assert area(2) == 4")
    assert rules(test, test, others, {"tests/conftest.py": old}) == {"assert.removed"}


def test_severity_does_not_fall_because_the_source_changed_too() -> None:
    others = {"src/shapes.py": "def area(n):\n    return n * n\n"}
    after = {"src/shapes.py": "def area(n):\n    return n\n"}
    old = "from shapes import area\n\n\n" + body("assert area(2) == 4")
    (finding,) = found(old, old.replace("== 4", "== 2"), others, after)
    assert finding.severity is Severity.ERROR


def test_a_renamed_test_is_compared_too() -> None:
    old = body("shares = split(9)", "assert sum(shares) == 9", "assert shares == [5, 4]")
    new = old.replace("test_it", "test_other").replace("assert shares == [5, 4]", "assert shares")
    assert "assert.weakened" in rules(old, new)


def test_a_test_that_is_gone_is_somebody_elses_business() -> None:
    assert (
        rules(body("assert area(2) == 4"), "def test_quite_another():\n    assert 1 == 1\n")
        == set()
    )


def test_new_tests_are_no_loss() -> None:
    old = body("assert area(2) == 4")
    assert rules(old, old + "\n\ndef test_new():\n    assert True\n") == set()


@pytest.mark.parametrize("mark", ["skip", "xfail"])
def test_what_never_counted_is_no_loss(mark: str) -> None:
    old = f"import pytest\n\n\n@pytest.mark.{mark}\n" + body("assert area(2) == 4")
    assert rules(old, old.replace("== 4", "== 5")) == set()


def test_a_file_that_is_too_deep_is_inconclusive_and_not_lost() -> None:
    deep = body("assert " + "(" * 150 + "x" + ")" * 150 + " == " + "-" * 20_000 + "1")
    change = Change({PATH: body("assert x == 1")}, {PATH: deep})
    report = Orchestrator(Registry().including(Assertions())).run(change)
    report.raise_for_crashes()
    assert report.verdict in (Verdict.INCONCLUSIVE, Verdict.VIOLATION)


def test_judging_twice_says_the_same() -> None:
    old, new = body("assert area(2) == 4"), body("assert area(2)")
    assert found(old, new) == found(old, new)
