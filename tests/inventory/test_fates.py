"""What becomes of each node of a run: every row of the table, and what holds whatever the run."""

from __future__ import annotations

import datetime

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import AllowedAction, Failure, Ledger, LedgerEntry, NodeEnd, NodeRun, SuiteRun
from benchhygiene.inventory.fates import FailedFor, Fate, fates, quarantined
from tests.evidence.agreements import QUARANTINE, RENAME

NODE = QUARANTINE.node_id
TODAY = QUARANTINE.expires
TOMORROW = TODAY + datetime.timedelta(1)
KNOWN = Failure("AssertionError", "cents != 0")
OTHER = Failure("KeyError", "'cents'")
SET = f"{NODE}[eur]"
ONE_SET = attrs.evolve(QUARANTINE, node_id=SET)


def ran(end: NodeEnd = NodeEnd.FAILED, failure: Failure | None = KNOWN) -> NodeRun:
    return NodeRun(node_id=NODE, end=end, failure=failure if end.is_failure else None)


PASSED, FAILED, BROKEN = ran(NodeEnd.PASSED), ran(), ran(failure=OTHER)


@pytest.mark.parametrize(
    ("runs", "entries", "on", "fate", "why"),
    [
        ([PASSED], [], TODAY, Fate.SCORED, None),
        ([ran(NodeEnd.SKIPPED)], [], TODAY, Fate.SCORED, None),
        ([ran(NodeEnd.XFAILED)], [], TODAY, Fate.SCORED, None),
        ([FAILED], [], TODAY, Fate.FAILED, FailedFor.REGRESSION),
        ([FAILED, PASSED], [], TODAY, Fate.FAILED, FailedFor.FLIPS),
        ([ran(NodeEnd.ERROR)], [], TODAY, Fate.FAILED, FailedFor.REGRESSION),
        ([PASSED], [QUARANTINE], TODAY, Fate.OMITTED, None),
        ([FAILED], [QUARANTINE], TODAY, Fate.OMITTED, None),
        ([FAILED, PASSED], [QUARANTINE], TODAY, Fate.OMITTED, None),
        ([ran(NodeEnd.ERROR)], [QUARANTINE], TODAY, Fate.OMITTED, None),
        ([BROKEN], [QUARANTINE], TODAY, Fate.FAILED, FailedFor.UNKNOWN_SHAPE),
        ([FAILED, BROKEN, PASSED], [QUARANTINE], TODAY, Fate.FAILED, FailedFor.UNKNOWN_SHAPE),
        ([ran(failure=None)], [QUARANTINE], TODAY, Fate.FAILED, FailedFor.SHAPE_UNRECORDED),
        ([ran(NodeEnd.UNFINISHED)], [QUARANTINE], TODAY, Fate.FAILED, FailedFor.UNFINISHED),
        ([ran(NodeEnd.UNKNOWN)], [], TODAY, Fate.FAILED, FailedFor.UNFINISHED),
        ([PASSED], [QUARANTINE], TOMORROW, Fate.SCORED, None),
        ([FAILED], [QUARANTINE], TOMORROW, Fate.FAILED, FailedFor.STILL_FLAKY),
        ([BROKEN, PASSED], [QUARANTINE], TOMORROW, Fate.FAILED, FailedFor.STILL_FLAKY),
        ([FAILED], [RENAME], TODAY, Fate.FAILED, FailedFor.REGRESSION),
        ([FAILED], [ONE_SET], TODAY, Fate.FAILED, FailedFor.REGRESSION),
    ],
)
def test_the_table(
    runs: list[NodeRun],
    entries: list[LedgerEntry],
    on: datetime.date,
    fate: Fate,
    why: FailedFor | None,
) -> None:
    (found,) = fates(SuiteRun(origin="replay", nodes=runs), Ledger(entries), on)
    assert (found.node_id, found.fate, found.why) == (NODE, fate, why)


def test_what_decided_is_named() -> None:
    run = SuiteRun(origin="replay", nodes=[FAILED, BROKEN])
    (found,) = fates(run, Ledger([QUARANTINE]), TODAY)
    assert found.entry == QUARANTINE
    assert found.shapes == ("KeyError: 'cents'",)
    (found,) = fates(run, Ledger([QUARANTINE]), TOMORROW)
    assert found.shapes == ("AssertionError: cents != <n>", "KeyError: 'cents'")


def test_an_entry_of_the_whole_node_omits_every_set_of_its_parameters() -> None:
    run = SuiteRun(origin="replay", nodes=[attrs.evolve(FAILED, node_id=SET), FAILED])
    assert [each.fate for each in fates(run, Ledger([QUARANTINE]), TODAY)] == [Fate.OMITTED] * 2
    assert quarantined(run, Ledger([QUARANTINE]), TODAY) == (NODE, SET)
    assert quarantined(run, Ledger([ONE_SET]), TODAY) == (SET,)


def test_a_second_entry_may_know_another_shape() -> None:
    second = attrs.evolve(QUARANTINE, signature="KeyError: 'cents'")
    run = SuiteRun(origin="replay", nodes=[FAILED, BROKEN])
    (found,) = fates(run, Ledger([QUARANTINE, second]), TODAY)
    assert found.fate is Fate.OMITTED


RUNS = st.lists(
    st.builds(
        NodeRun,
        node_id=st.sampled_from([NODE, SET, "t.py::test_b"]),
        end=st.sampled_from(NodeEnd),
        failure=st.sampled_from([None, KNOWN, OTHER]),
    )
)
ENTRIES = st.lists(
    st.builds(
        attrs.evolve,
        st.just(QUARANTINE),
        node_id=st.sampled_from([NODE, SET]),
        expires=st.sampled_from([TODAY, TODAY - datetime.timedelta(1)]),
        allowed_action=st.sampled_from([AllowedAction.QUARANTINE, AllowedAction.DELETE]),
    ),
    max_size=3,
)


@given(RUNS, ENTRIES)
def test_every_node_has_one_fate_and_no_failure_is_lost(
    runs: list[NodeRun], entries: list[LedgerEntry]
) -> None:
    run, ledger = SuiteRun(origin="replay", nodes=runs), Ledger(entries)
    found = fates(run, ledger, TODAY)
    assert [each.node_id for each in found] == sorted({each.node_id for each in runs})
    for each in found:
        assert (each.why is None) == (each.fate is not Fate.FAILED)
        assert each.fate is not Fate.OMITTED or ledger.quarantines(each.node_id, TODAY)
        if each.fate is Fate.SCORED:
            assert not any(one.end.is_failure for one in run.by_node[each.node_id])


@given(RUNS)
def test_without_a_ledger_nothing_is_omitted(runs: list[NodeRun]) -> None:
    found = fates(SuiteRun(origin="replay", nodes=runs), Ledger(), TODAY)
    assert all(each.fate is not Fate.OMITTED and each.entry is None for each in found)
