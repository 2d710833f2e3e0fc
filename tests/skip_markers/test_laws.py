"""What holds for every spelling, every reason and every condition."""

from __future__ import annotations

import ast

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchhygiene.evidence import Change
from benchhygiene.inventory.conditions import condition
from benchhygiene_plugins.skip_markers import SkipEvidence, SkipMarkers
from tests.skip_markers.edits import BASE, NODES, PATH, on, top

FAST = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)
names = st.sampled_from(("a", "later", "skip", "mark", "x_1", "pytest_", "sk", "nächste"))
wholes = st.sampled_from(("skip", "xfail"))
FUNCTIONS = st.sampled_from(("test_one", "test_two", "test_three", "test_seven"))


def _findings(parent: str, candidate: str) -> list[tuple[str, str | None]]:
    change = Change({PATH: parent}, {PATH: candidate})
    found = SkipMarkers().analyze(SkipEvidence(change))
    return sorted((one.rule.id, one.locations[0].node_id) for one in found)


@st.composite
def spellings(draw: st.DrawFn, word: str) -> tuple[str, str]:
    """Draw lines for the top of a module, and a decorator that means ``pytest.mark.WORD``."""
    lines = ["import functools, operator"]
    module = draw(st.sampled_from(("pytest", "p", '__import__("pytest")')))
    if module == "p":
        lines.append("import pytest as p")
    mark = f"{module}.mark"
    if draw(st.booleans()):
        lines.append(f"m_ = {mark}")
        mark = "m_"
    cut = draw(st.integers(0, len(word)))
    marker = draw(
        st.sampled_from(
            (
                f"{mark}.{word}",
                f"getattr({mark}, {word[:cut]!r} + {word[cut:]!r})",
                f"operator.attrgetter({word!r})({mark})",
                f"functools.partial(getattr({mark}, {word!r}))()",
                f"(lambda: {mark}.{word})()",
                f"[{mark}.slow, {mark}.{word}][1]",
                f"{{'k': {mark}.{word}}}['k']",
            )
        )
    )
    for _ in range(draw(st.integers(0, 3))):
        name = draw(names)
        lines.append(f"{name}_ = {marker}")
        marker = f"{name}_"
    if draw(st.booleans()):
        reason = draw(st.text("ab \n#", max_size=5))
        marker = f"{marker}(reason={reason!r})"
    return "\n".join(lines), f"@{marker}"


@FAST
@given(st.data(), wholes, FUNCTIONS)
def test_every_spelling_of_a_marker_is_the_same_finding(
    data: st.DataObject, word: str, function: str
) -> None:
    lines, decorator = data.draw(spellings(word))
    plain = _findings(BASE, on(function, f"@pytest.mark.{word}")(BASE))
    spelled = on(function, decorator)(top(lines)(BASE))
    assert _findings(BASE, spelled) == plain
    rule = "skip.marker" if word == "skip" else "xfail.added"
    assert plain == [(rule, f"{PATH}::{NODES[function.removeprefix('test_')]}")]


@FAST
@given(st.data(), wholes)
def test_one_spelling_for_another_takes_nothing_away(data: st.DataObject, word: str) -> None:
    (first, one), (second, other) = (data.draw(spellings(word)) for _ in range(2))
    old = on("test_one", one)(top(first)(BASE))
    new = on("test_one", other)(top(second)(BASE))
    assert _findings(old, new) == []


@FAST
@given(st.text(max_size=20), st.text(max_size=20), wholes)
def test_rewording_a_reason_takes_nothing_away(old: str, new: str, word: str) -> None:
    def marked(reason: str) -> str:
        return on("test_one", f"@pytest.mark.{word}(reason={reason!a})")(BASE)

    assert _findings(marked(old), marked(new)) == []


@FAST
@given(st.text(max_size=200))
def test_any_text_ends_in_an_answer(text: str) -> None:
    found = _findings(BASE, text)
    assert {rule for rule, _ in found} <= {"skip.unseen"}


atoms = st.sampled_from(
    ("a", "b", "c", "not a", "b == 1", "b != 1", "c < 2", "c >= 2", "True", "False")
)
booleans = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: f"({two[0]} and {two[1]})"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]} or {two[1]})"),
        inner.map(lambda one: f"(not {one})"),
        st.tuples(inner, inner, inner).map(
            lambda three: f"({three[0]} if {three[1]} else {three[2]})"
        ),
    ),
    max_leaves=6,
)
VALUES = [{"a": a, "b": b, "c": c} for a in (0, 1) for b in (0, 1) for c in (0, 1, 2, 3)]


@settings(FAST, max_examples=300)
@given(booleans, booleans)
def test_within_means_that_it_holds_nowhere_else(narrow: str, wide: str) -> None:
    one = condition(ast.parse(narrow, mode="eval").body)
    other = condition(ast.parse(wide, mode="eval").body)
    if one.is_within([other]):
        for value in VALUES:
            if eval(narrow, {}, value):  # noqa: S307 -- made of the atoms above
                assert eval(wide, {}, value), (narrow, wide, value)  # noqa: S307


@settings(FAST, max_examples=200)
@given(booleans)
def test_a_condition_is_within_itself(text: str) -> None:
    one = condition(ast.parse(text, mode="eval").body)
    assert one.is_within([one])
    assert (one & one).is_within([one])


@settings(FAST, max_examples=200)
@given(booleans, booleans)
def test_and_is_narrower_and_or_is_wider(left: str, right: str) -> None:
    one, other = (condition(ast.parse(text, mode="eval").body) for text in (left, right))
    assert (one & other).is_within([one])
    assert one.is_within([one | other])
