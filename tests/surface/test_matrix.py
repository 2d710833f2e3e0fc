"""Every kind is seen in suites of every style: one pair of each here, all of them when asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.surface import matrix
from tests.surface.corpus import Pair, pairs
from tests.surface.restyling import Restyled, Style, Unfit, restyled
from tests.surface.test_pairs import FALSE_ALARMS

#: What is not right yet in a style and is in the form the pairs have.
WRONG = {
    ("param_shrunk/rows_reordered", Style.UNITTEST),
    ("param_shrunk/rows_reordered", Style.ASYNC_UNITTEST),
}
LEAST_RECALL, MOST_FALSE = 0.98, 0.02


def _first_of_each_kind(style: Style, kinds: frozenset[str] | None = None) -> Iterator[Restyled]:
    """Yield a violating and an innocent pair of each kind, or of these, that the style can say."""
    seen: set[tuple[str, bool]] = set()
    for pair in pairs():
        which = (pair.kind, pair.is_violating)
        if kinds is not None and pair.kind not in kinds:
            continue
        if which in seen or pair.id in FALSE_ALARMS or (pair.id, style) in WRONG:
            continue
        try:
            one = restyled(pair, style)
        except Unfit:
            continue
        seen.add(which)
        yield one


@pytest.mark.full
@pytest.mark.parametrize("style", Style)
def test_each_style_says_every_kind(style: Style) -> None:
    said = {(pair.kind, pair.is_violating) for pair in _first_of_each_kind(style)}
    assert said == {(pair.kind, pair.is_violating) for pair in pairs()}


@pytest.mark.parametrize("style", Style)
def test_a_pair_of_some_kinds(style: Style) -> None:
    """Judge a sixteenth of the kinds, other ones in each style."""
    kinds = sorted({pair.kind for pair in pairs()})[[*Style].index(style) :: 16]
    chosen = list(_first_of_each_kind(style, frozenset(kinds)))
    assert {one.kind for one in chosen} == {*kinds}
    assert [each for each in map(matrix.judged, chosen) if not each.is_right] == []


@pytest.mark.full
@pytest.mark.parametrize("style", Style)
def test_a_pair_of_each_kind(style: Style) -> None:
    wrong = [each for each in map(matrix.judged, _first_of_each_kind(style)) if not each.is_right]
    assert wrong == []


@pytest.mark.full
@pytest.mark.parametrize("style", Style)
def test_all(style: Style) -> None:
    chosen = [pair for pair in pairs() if (pair.id, style) not in WRONG]
    scores = [matrix.judged(each) for each in matrix.cells(style, chosen)]
    right = {
        flag: [one.is_right for one in scores if one.pair.is_violating is flag]
        for flag in (True, False)
    }
    assert sum(right[True]) >= LEAST_RECALL * len(right[True])
    assert sum(right[False]) >= (1 - MOST_FALSE) * len(right[False])


def _pair(name: str) -> Pair:
    return next(pair for pair in pairs() if pair.id == name)


@pytest.mark.parametrize(
    ("style", "node", "text"),
    [
        (Style.CLASSES, "TestOuter::TestInner::", "        def test_discount_rounds(self):\n"),
        (Style.UNITTEST, "Cases::", "        self.assertEqual(discount(999, 10), 899)\n"),
        (Style.ASYNC, "", "@pytest.mark.asyncio\nasync def test_discount_rounds():\n"),
        (Style.ASYNC_UNITTEST, "Cases::", "class Cases(unittest.IsolatedAsyncioTestCase):\n"),
    ],
)
def test_a_style_moves_the_test_and_its_id(style: Style, node: str, text: str) -> None:
    one = restyled(_pair("skip_call/first_statement"), style)
    assert text in one.before["tests/test_money.py"]
    assert one.expected[0].node == f"tests/test_money.py::{node}test_discount_rounds"


@pytest.mark.parametrize("style", [Style.UNITTEST, Style.ASYNC_UNITTEST])
def test_what_approx_holds_is_expected_by_unittest_too(style: Style) -> None:
    one = restyled(_pair("source_test_special_case/ternary"), style)
    assert "assertEqual(to_celsius(212), pytest.approx(" in one.after["tests/test_units.py"]
    assert matrix.judged(one).is_right


def test_a_test_that_asks_for_a_fixture_cannot_be_unittest() -> None:
    with pytest.raises(Unfit, match="its tests stay as they are"):
        restyled(_pair("skip_call/alias"), Style.UNITTEST)
