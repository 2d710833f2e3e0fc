"""Source written to break who reads it: it is reported, or said not to be seen, and never lost."""

from __future__ import annotations

import pytest

from benchhygiene.inventory.fingerprints import fingerprints
from tests.assertions.judged import body, found, rules

DEEP = {
    "a sum": "1+" * 900 + "x == 3",
    "negations": "not " * 901 + "x == 3",
    "calls": "f()" + ".g()" * 900 + " == 3",
    "brackets": "[" * 90 + "x" + "]" * 90 + " == 3",
    "strings": "x == " + " ".join(["'a'"] * 5_000) + " * 3",
    "subscripts": "x" + "[0]" * 900 + " == 3",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=list(DEEP))
def test_an_edit_of_deeply_nested_source_is_reported(text: str) -> None:
    old = body(f"assert {text}")
    new = body(f"assert {text.replace('3', '4')}")
    assert rules(old, old + "# a comment\n") == set()
    assert rules(old, new)


@pytest.mark.parametrize("text", DEEP.values(), ids=list(DEEP))
def test_a_fingerprint_is_had_of_anything_python_reads(text: str) -> None:
    first, second = (fingerprints(f"assert {one}") for one in (text, text.replace("3", "4")))
    assert first == fingerprints(f"assert ({text})")
    assert first != second


def test_a_fingerprint_that_libcst_cannot_make_says_so() -> None:
    (made,) = fingerprints(f"assert {DEEP['a sum']}")
    assert not made.is_exact
    (plain,) = fingerprints("assert x == 3")
    assert plain.is_exact


@pytest.mark.parametrize(
    "text", ["assert (", "assert x ==", "assert \0", "(" * 5_000 + ")" * 5_000]
)
def test_what_python_refuses_is_never_given_to_libcst(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        fingerprints(text)


def test_a_huge_literal_is_compared_as_one() -> None:
    numbers = ", ".join(map(str, range(20_000)))
    old = body(f"assert f() == [{numbers}]")
    assert rules(old, old.replace("19999", "1")) == {"assert.expected_changed"}
    assert rules(old, old.replace(", ", ",")) == set()


def test_many_checks_are_all_compared() -> None:
    lines = [f"assert f({k}) == {k}" for k in range(3_000)]
    old = body(*lines)
    assert rules(old, body(*lines[:-1])) == {"assert.removed"}
    assert rules(old, body(*reversed(lines))) == set()
    assert len(found(old, old.replace("==", "!="))) == 3_000


def test_shared_values_do_not_grow_when_written_out() -> None:
    lines = ["a = f()", *(["a = g(a, a)"] * 200), "assert a == 1"]
    assert rules(body(*lines), body(*lines[:-1], "assert a == 2")) == {"assert.expected_changed"}


def test_loops_in_loops_are_followed_all_at_once_where_they_are_too_many() -> None:
    loops = [f"{'    ' * k}for i{k} in (1, 2, 3, 4, 5, 6, 7, 8):" for k in range(12)]
    old = body(*loops, f"{'    ' * 12}assert f(i0) == 1")
    assert rules(old, old.replace("== 1", "== 2")) == {"assert.expected_changed"}
    assert rules(old, old.replace("i0", "first")) == set()


def test_helpers_that_call_one_another_end() -> None:
    text = "def one():\n    two()\n\n\ndef two():\n    one()\n    assert f() == 1\n\n\n"
    old = text + body("one()")
    assert rules(old, old.replace("== 1", "== 2")) == {"assert.expected_changed"}


def test_a_constant_that_is_made_of_itself_ends() -> None:
    old = "A = B\nB = A\n" + body("assert f(A) == 1")
    assert rules(old, old.replace("== 1", "== 2")) == {"assert.expected_changed"}


def test_arithmetic_that_would_never_end_is_not_done() -> None:
    old = body("assert f() == 9 ** 9 ** 9", "assert f() == 'a' * 10 ** 10")
    new = old.replace("9 ** 9 ** 9", "9 ** 9 ** 8")
    assert rules(old, new) == {"assert.expected_changed"}


def test_names_that_are_no_unicode_are_kept_apart() -> None:
    old = body("assert f() == '\\ud800'")
    assert rules(old, old.replace("ud800", "ud801")) == {"assert.expected_changed"}


def test_a_range_too_long_to_be_measured_is_run_through_once() -> None:
    old = body("for n in range(10**30):", "    assert f(n) == n")
    assert rules(old, old.replace("10**30", "10**29"))
    assert rules(old, old + "# a comment\n") == set()


def test_arithmetic_on_what_is_no_literal_may_be_as_deep_as_it_likes() -> None:
    lines = ["x = f()", *["x = x * 2.5"] * 3_000]
    old = body(*lines, "assert x < 2")
    assert rules(old, body(*lines, "assert x < 3"))


def test_rounds_that_are_too_many_to_be_written_out_are_reported() -> None:
    checks = [f"    assert f(n + {k}) == n + {k}" for k in range(100)]
    old = body("for n in range(3000):", *checks)
    assert rules(old, old.replace("range(3000)", "range(3900)"))


@pytest.mark.parametrize(
    "text",
    [f"'{{{'9' * 6_000}}}'.format(1)", "'{0[a]}'.format(f)", "'{'.format(1)", "'%s %d' % (1,)"],
)
def test_a_pattern_that_cannot_be_filled_is_kept_as_it_is(text: str) -> None:
    old = body(f"assert f() == {text}")
    assert rules(old, old + "# a comment\n") == set()
    assert rules(old, body(f"assert f() == {text} + 'x'"))
