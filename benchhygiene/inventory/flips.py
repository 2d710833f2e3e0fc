"""Which nodes flip between runs of the same code, how often, and in which shapes they fail."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.evidence.suite import NodeEnd, NodeRun, SuiteRun
from benchhygiene.inventory.failure_shapes import shape

_PASSES = (NodeEnd.PASSED, NodeEnd.XPASSED)


@attrs.frozen(kw_only=True)
class NodeHistory:
    """What one node did over several runs.

    ``attempts`` are the runs in which it passed or failed, each rerun its own; ``flips`` is how
    often two that follow one another differ. ``shapes`` are those of its failures with how often
    each was seen, the most frequent first. ``unrecorded`` counts failures whose record has none.
    """

    node_id: str
    attempts: int
    failures: int
    flips: int
    shapes: tuple[tuple[str, int], ...] = ()
    unrecorded: int = 0
    id_is_guessed: bool = False

    @property
    def is_flaky(self) -> bool:
        """Return whether it has passed and failed."""
        return 0 < self.failures < self.attempts

    @property
    def always_fails(self) -> bool:
        """Return whether it has never passed: that is no flake."""
        return 0 < self.failures == self.attempts

    @property
    def failure_rate(self) -> float:
        """Return which part of its attempts failed."""
        return self.failures / self.attempts if self.attempts else 0.0

    @property
    def flip_rate(self) -> float:
        """Return how often an attempt differed from the one before it, from 0 to 1."""
        return self.flips / (self.attempts - 1) if self.attempts > 1 else 0.0


def histories(runs: Iterable[SuiteRun]) -> tuple[NodeHistory, ...]:
    """Return the history of every node of the runs, which are given in their order, by node id.

    Ends that are neither a pass nor a failure, such as a skip, are no attempts.
    """
    found: dict[str, list[NodeRun]] = {}
    for run in runs:
        for each in run.nodes:
            found.setdefault(each.node_id, []).append(each)
    return tuple(_history(node_id, each) for node_id, each in sorted(found.items()))


def _history(node_id: str, runs: list[NodeRun]) -> NodeHistory:
    attempts = list(_attempts(runs))
    shapes = collections.Counter(
        shape(run.failure) for run in runs if run.end.is_failure and run.failure is not None
    )
    return NodeHistory(
        node_id=node_id,
        attempts=len(attempts),
        failures=attempts.count(False),
        flips=sum(one is not other for one, other in itertools.pairwise(attempts)),
        shapes=tuple(sorted(shapes.items(), key=lambda each: (-each[1], each[0]))),
        unrecorded=sum(run.end.is_failure and run.failure is None for run in runs),
        id_is_guessed=any(run.id_is_guessed for run in runs),
    )


def _attempts(runs: list[NodeRun]) -> Iterator[bool]:
    """Yield for each attempt whether it passed."""
    for run in runs:
        if run.end in _PASSES:
            yield True
        elif run.end.is_failure:
            yield False
