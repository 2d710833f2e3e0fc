"""``-k`` and ``-m`` expressions mean what the installed pytest makes of them."""

from __future__ import annotations

import re

import pytest
from _pytest.mark.expression import Expression
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchhygiene_plugins.ini_chain.command.expressions import (
    ExpressionError,
    ExpressionUnknown,
    evaluate,
)

KNOWN = {"a", "test_a", "a[1-x]", "tests/x.py::test_a", "None", "True", "é"}
_TOKENS = [
    *sorted(KNOWN),
    "or",
    "and",
    "not",
    "not ",
    "(",
    ")",
    "b",
    "nota",
    "False",
    ":",
    "+",
    "-",
    ".",
    "\\",
    "/",
    "$",
    "!",
    "==",
    "\t",
    "\n",
    "\u2028",
    "",
]
glued = st.lists(st.sampled_from(_TOKENS), max_size=8).map("".join)
spaced = st.lists(st.sampled_from(_TOKENS), max_size=10).map(" ".join)
balanced = st.recursive(
    st.sampled_from(["a", "b", "é"]),
    lambda inner: st.one_of(
        inner.map("not {}".format),
        inner.map("({})".format),
        st.tuples(inner, st.sampled_from([" and ", " or "]), inner).map("".join),
    ),
    max_leaves=8,
)

#: What our evaluation leaves open: a call, or something only a call may hold.
_OPEN = re.compile(r"[\w:+\-.\[\]\\/]\s*\(|[=,]")


def _ours(text: str) -> bool | str:
    try:
        return evaluate(text, KNOWN.__contains__)
    except ExpressionError:
        return "refused"
    except ExpressionUnknown:
        return "unknown"


def _real(text: str) -> bool | str:
    def matches(name: str, /, **keywords: object) -> bool:
        return name in KNOWN and not keywords

    try:
        return Expression.compile(text).evaluate(matches)
    except SyntaxError:
        return "refused"


@settings(max_examples=400)
@given(text=balanced | spaced | glued)
@example(text="")
@example(text="not")
@example(text="a b")
@example(text="(a")
@example(text="a)")
@example(text="()")
@example(text="nota and a")
@example(text="not not b")
@example(text="a or b and b")
@example(text="a\nor b")
def test_an_expression_means_what_pytest_makes_of_it(text: str) -> None:
    ours = _ours(text)
    if ours == "unknown":
        assert _OPEN.search(text)
    else:
        assert ours == _real(text)


@pytest.mark.parametrize("text", ["mark(n=1)", "a and mark(n='x', m=None)"])
def test_a_call_is_valid_and_left_open(text: str) -> None:
    Expression.compile(text)
    assert _ours(text) == "unknown"


def test_nesting_without_end_is_left_open() -> None:
    for hostile in ("(" * 100_000 + "a", "not " * 100_000 + "a", "a and " * 100_000 + "a"):
        assert _ours(hostile) == "unknown"
