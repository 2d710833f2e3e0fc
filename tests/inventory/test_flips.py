"""How often nodes flip, and what is no flake."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import Failure, NodeEnd, NodeRun, SuiteRun
from benchhygiene.inventory.flips import NodeHistory, histories

P, F, S, E = NodeEnd.PASSED, NodeEnd.FAILED, NodeEnd.SKIPPED, NodeEnd.ERROR
WHY = Failure("AssertionError", "assert 1 == 2")


def runs(*ends: NodeEnd | None) -> list[SuiteRun]:
    """Return a run for each end; None is a run without the node."""
    return [
        SuiteRun(origin="replay", nodes=[] if end is None else [NodeRun(node_id="a", end=end)])
        for end in ends
    ]


def history(*ends: NodeEnd | None) -> NodeHistory:
    (found,) = histories(runs(*ends))
    return found


@pytest.mark.parametrize(
    ("ends", "flaky", "always", "flip_rate", "failure_rate"),
    [
        ((P, P), False, False, 0.0, 0.0),
        ((F, F), False, True, 0.0, 1.0),
        ((F,), False, True, 0.0, 1.0),
        ((P, F), True, False, 1.0, 0.5),
        ((P, F, P, F), True, False, 1.0, 0.5),
        ((P, P, F, F), True, False, 1 / 3, 0.5),
        ((P, E, S, None, P), True, False, 1.0, 1 / 3),
        ((S, S), False, False, 0.0, 0.0),
        ((S, F), False, True, 0.0, 1.0),
    ],
)
def test_rates(
    ends: tuple[NodeEnd | None, ...],
    flaky: bool,
    always: bool,
    flip_rate: float,
    failure_rate: float,
) -> None:
    found = history(*ends)
    assert (found.is_flaky, found.always_fails) == (flaky, always)
    assert found.flip_rate == pytest.approx(flip_rate)
    assert found.failure_rate == pytest.approx(failure_rate)


def test_shapes_are_counted_and_the_frequent_come_first() -> None:
    nodes = [
        NodeRun(node_id="a", end=F, failure=Failure("KeyError", "'x'")),
        NodeRun(node_id="a", end=F, failure=WHY),
        NodeRun(node_id="a", end=F, failure=Failure("AssertionError", "assert 7 == 9")),
        NodeRun(node_id="a", end=F),
        NodeRun(node_id="a", end=P),
    ]
    (found,) = histories([SuiteRun(origin="replay", nodes=nodes)])
    assert found.shapes == (("AssertionError: assert <n> == <n>", 2), ("KeyError: 'x'", 1))
    assert (found.unrecorded, found.attempts, found.flips) == (1, 5, 1)


@given(st.lists(st.sampled_from(NodeEnd), min_size=1))
def test_rates_are_rates(ends: list[NodeEnd]) -> None:
    found = history(*ends)
    assert 0 <= found.flip_rate <= 1
    assert 0 <= found.failure_rate <= 1
    assert found.is_flaky == (found.flips > 0)
    assert not (found.is_flaky and found.always_fails)
