from __future__ import annotations

import datetime
import pickle

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import AllowedAction, InputError, Ledger, LedgerPolicy
from benchhygiene.core.digest import digest
from benchhygiene.evidence.ledger import without_parameters
from tests.evidence.agreements import QUARANTINE, RENAME, day

LAST = QUARANTINE.expires
NODE = QUARANTINE.node_id
LEDGER = Ledger([QUARANTINE])


@pytest.mark.parametrize(
    ("node_id", "node"),
    [
        ("t.py::test_a", "t.py::test_a"),
        ("t.py::test_a[1]", "t.py::test_a"),
        ("t.py::TestA::test_a[x[0]-y::z]", "t.py::TestA::test_a"),
        ("a[1]/t.py::test_a", "a[1]/t.py::test_a"),
        ("a[1]/t.py::test_a[2]", "a[1]/t.py::test_a"),
        ("a[1]", "a[1]"),
        ("t.py::test_a[", "t.py::test_a["),
    ],
)
def test_parameters_are_what_the_last_part_has_in_brackets(node_id: str, node: str) -> None:
    assert without_parameters(node_id) == node


@given(st.text("abc[]:/-", max_size=30))
def test_a_node_without_parameters_has_none_to_lose(node_id: str) -> None:
    assert without_parameters(without_parameters(node_id)) == without_parameters(node_id)


@pytest.mark.parametrize(
    ("on", "holds"), [("2026-09-01", True), ("2026-10-02", True), ("2026-10-03", False)]
)
def test_an_entry_holds_until_the_end_of_its_last_day(on: str, holds: bool) -> None:
    assert LEDGER.quarantines(NODE, day(on)) is holds


def test_an_entry_for_a_node_covers_every_set_of_its_parameters() -> None:
    assert LEDGER.quarantines(f"{NODE}[1-x]", LAST)
    assert not LEDGER.quarantines(f"{NODE}bc", LAST)
    assert not LEDGER.quarantines(f"{NODE}::inner", LAST)
    assert not LEDGER.quarantines("tests/test_a.py", LAST)


def test_an_entry_for_one_set_of_parameters_covers_no_other_and_not_the_node() -> None:
    ledger = Ledger([attrs.evolve(QUARANTINE, node_id=f"{NODE}[1]")])
    assert ledger.quarantines(f"{NODE}[1]", LAST)
    assert not ledger.quarantines(f"{NODE}[2]", LAST)
    assert not ledger.quarantines(f"{NODE}[1][2]", LAST)
    assert not ledger.quarantines(NODE, LAST)


@pytest.mark.parametrize("action", AllowedAction)
def test_an_entry_allows_its_own_action_alone(action: AllowedAction) -> None:
    assert LEDGER.allows(NODE, action, LAST) is (action is AllowedAction.QUARANTINE)


def test_an_expired_entry_neither_allows_nor_hides_one_that_holds() -> None:
    expired = attrs.evolve(QUARANTINE, expires=day("2024-02-01"))
    assert not Ledger([expired]).quarantines(NODE, LAST)
    assert Ledger([expired, QUARANTINE]).quarantines(NODE, LAST)
    assert Ledger([expired, QUARANTINE]).about(NODE) == (expired, QUARANTINE)


def test_a_rename_says_what_the_node_has_become() -> None:
    ledger = Ledger([RENAME, QUARANTINE])
    assert ledger.renamed_to(NODE, LAST) == ("tests/test_b.py::test_b",)
    assert ledger.renamed_to(f"{NODE}[1-x]", LAST) == ("tests/test_b.py::test_b[1-x]",)
    assert ledger.renamed_to(NODE, LAST + datetime.timedelta(1)) == ()
    assert LEDGER.renamed_to(NODE, LAST) == ()


@pytest.mark.parametrize("action", [AllowedAction.RENAME, AllowedAction.MOVE])
def test_a_rename_or_move_without_a_target_is_refused(action: AllowedAction) -> None:
    with pytest.raises(InputError, match=f'allowed_action "{action.value}" needs a renamed_to'):
        attrs.evolve(QUARANTINE, allowed_action=action)


@pytest.mark.parametrize("action", [AllowedAction.QUARANTINE, AllowedAction.DELETE])
def test_a_target_goes_with_nothing_else(action: AllowedAction) -> None:
    with pytest.raises(InputError, match="renamed_to does not go with"):
        attrs.evolve(RENAME, allowed_action=action)


@pytest.mark.parametrize("name", ["max_entries", "max_days"])
def test_a_policy_counts_from_nought(name: str) -> None:
    with pytest.raises(InputError, match=f"{name} -1: expected 0 or more"):
        LedgerPolicy(**{name: -1})  # type: ignore[arg-type]


DATES = st.dates(datetime.date(2026, 1, 1), datetime.date(2026, 12, 31))
NODES = st.sampled_from([f"{f}::{t}{p}" for f in "ab" for t in "st" for p in ("", "[1]", "[2]")])
ENTRIES = st.builds(
    attrs.evolve,
    st.just(QUARANTINE),
    node_id=NODES,
    expires=DATES,
    allowed_action=st.sampled_from([AllowedAction.QUARANTINE, AllowedAction.DELETE]),
)


@given(st.lists(ENTRIES, max_size=6), NODES, DATES, DATES, st.sampled_from(AllowedAction))
def test_nothing_is_allowed_anew_by_waiting(
    entries: list[object], node_id: str, one: datetime.date, two: datetime.date, action: object
) -> None:
    ledger, (early, late) = Ledger(entries), sorted((one, two))  # type: ignore[arg-type]
    assert isinstance(action, AllowedAction)
    assert ledger.allows(node_id, action, early) or not ledger.allows(node_id, action, late)


@given(st.lists(ENTRIES, max_size=6), NODES, DATES)
def test_the_index_answers_as_a_search_through_all_entries_would(
    entries: list[object], node_id: str, on: datetime.date
) -> None:
    ledger = Ledger(entries)  # type: ignore[arg-type]
    found = tuple(e for e in ledger.entries if e.covers(node_id) and not e.is_expired(on))
    assert tuple(ledger.live(node_id, on)) == found


def test_a_ledger_travels_and_has_a_digest() -> None:
    ledger = Ledger([QUARANTINE, RENAME], LedgerPolicy(max_days=3))
    ledger.quarantines(NODE, LAST)
    assert pickle.loads(pickle.dumps(ledger)) == ledger
    assert digest(ledger) != digest(Ledger([RENAME, QUARANTINE], LedgerPolicy(max_days=3)))
