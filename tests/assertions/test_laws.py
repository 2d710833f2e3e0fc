"""The laws of fingerprints and facts: what keeps a check, and what makes it another."""

from __future__ import annotations

import ast

from hypothesis import assume, given
from hypothesis import strategies as st

from benchhygiene.inventory.fingerprints import fingerprints
from tests.assertions.judged import body, rules

NAMES = st.sampled_from(["left", "right", "total", "rows"])
LITERALS = st.one_of(
    st.integers(-5, 99),
    st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=4),
    st.lists(st.integers(0, 9), max_size=3),
).map(repr)
CALLS = st.builds("{}({})".format, st.sampled_from(["area", "parse", "split"]), LITERALS)
SUBJECTS = st.one_of(NAMES, CALLS, st.builds("{}.size".format, NAMES))
MUTUAL = st.sampled_from(["==", "!=", "is", "is not"])
ORDERS = st.sampled_from([("<", ">"), ("<=", ">=")])
OPERATORS = st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "in", "not in"])
UNITTEST = st.sampled_from(
    [
        ("assertEqual", "=="),
        ("assertNotEqual", "!="),
        ("assertIn", "in"),
        ("assertNotIn", "not in"),
        ("assertLess", "<"),
        ("assertGreaterEqual", ">="),
    ]
)


def same(first: str, second: str) -> bool:
    return fingerprints(first) == fingerprints(second)


@given(SUBJECTS, MUTUAL, LITERALS)
def test_direction_does_not_matter(subject: str, operator: str, value: str) -> None:
    assert same(f"assert {subject} {operator} {value}", f"assert {value} {operator} {subject}")


@given(SUBJECTS, ORDERS, LITERALS)
def test_an_order_may_be_turned_round(subject: str, order: tuple[str, str], value: str) -> None:
    assert same(f"assert {subject} {order[0]} {value}", f"assert {value} {order[1]} {subject}")


@given(SUBJECTS, OPERATORS, LITERALS, st.text("ab'\"", max_size=3))
def test_the_message_and_the_layout_do_not_matter(
    subject: str, operator: str, value: str, message: str
) -> None:
    plain = f"assert {subject} {operator} {value}"
    spaced = f"assert (  {subject}\n  {operator}  ({value})  ), {message!r}  # a comment"
    assert same(plain, spaced)
    assert same(plain, ast.unparse(ast.parse(plain)))


@given(SUBJECTS, UNITTEST, LITERALS)
def test_unittest_is_another_spelling(subject: str, pair: tuple[str, str], value: str) -> None:
    method, operator = pair
    assert same(f"self.{method}({subject}, {value}, 'why')", f"assert {subject} {operator} {value}")


@given(SUBJECTS, LITERALS)
def test_a_negated_equality_is_an_inequality(subject: str, value: str) -> None:
    assert same(f"assert not {subject} == {value}", f"assert {subject} != {value}")


@given(st.lists(st.tuples(SUBJECTS, LITERALS), min_size=1, max_size=3))
def test_and_is_as_many_facts(parts: list[tuple[str, str]]) -> None:
    facts = [f"{subject} == {value}" for subject, value in parts]
    together = fingerprints(f"assert {' and '.join(facts)}")
    apart = {one for fact in facts for one in fingerprints(f"assert {fact}")}
    assert set(together) == apart


@given(NAMES, NAMES, OPERATORS, LITERALS)
def test_what_a_local_is_called_does_not_matter(
    old: str, new: str, operator: str, value: str
) -> None:
    before = fingerprints(f"assert {old} {operator} {value}", names=[old])
    assert before == fingerprints(f"assert {new} {operator} {value}", names=[new])


@given(CALLS, OPERATORS, LITERALS)
def test_a_local_is_read_through(call: str, operator: str, value: str) -> None:
    inlined = fingerprints(f"assert {call} {operator} {value}")
    assert fingerprints(f"assert found {operator} {value}", {"found": call}) == inlined


@given(SUBJECTS, SUBJECTS, OPERATORS, OPERATORS, LITERALS, LITERALS)
def test_another_subject_operator_or_value_is_another_fact(
    subject: str, other: str, operator: str, another: str, value: str, changed: str
) -> None:
    first = f"{subject} {operator} {value}"
    second = f"{other} {another} {changed}"
    assume(ast.dump(ast.parse(first)) != ast.dump(ast.parse(second)))
    assume(subject not in (value, changed))
    assert not same(f"assert {first}", f"assert {second}")


@given(CALLS, LITERALS, LITERALS)
def test_an_edited_value_is_always_reported(call: str, value: str, changed: str) -> None:
    assume(value != changed)
    old, new = (body(f"found = {call}", f"assert found == {one}") for one in (value, changed))
    assert rules(old, new)


@given(CALLS, LITERALS, NAMES, NAMES)
def test_a_refactored_test_is_never_reported(call: str, value: str, old: str, new: str) -> None:
    before = body(f"{old} = {call}", f"assert {old} == {value}")
    after = (
        f"EXPECTED = {value}\n\n\n"
        + "def expect(given):\n    assert EXPECTED == given, 'why'\n\n\n"
        + body(f"{new} = ({call})", f"expect({new})")
    )
    assert rules(before, after) == set()
    assert rules(after, before) == set()


@given(CALLS, st.lists(LITERALS, min_size=2, max_size=4, unique=True))
def test_a_lost_row_is_always_reported(call: str, rows: list[str]) -> None:
    name = call.partition("(")[0]

    def loop(kept: list[str]) -> str:
        return body(f"for one in [{', '.join(kept)}]:", f"    assert {name}(one)")

    assert rules(loop(rows), loop(rows[1:]))
    assert rules(loop(rows), loop(rows[::-1])) == set()
    assert rules(loop(rows[1:]), loop(rows)) == set()
