"""What becomes of each node of a run in the score: the ledger's word, and nothing else."""

from __future__ import annotations

import datetime
import enum
from collections.abc import Iterator

import attrs

from benchhygiene.evidence.ledger import AllowedAction, Ledger, LedgerEntry
from benchhygiene.evidence.suite import NodeEnd, NodeRun, SuiteRun
from benchhygiene.inventory.failure_shapes import matches, shape

_UNSCORABLE = (NodeEnd.UNFINISHED, NodeEnd.UNKNOWN)


class Fate(enum.Enum):
    """What a node's runs count for."""

    SCORED = "scored"  # as it ended: it did not fail
    OMITTED = "omitted"  # in quarantine: it counts for nothing, neither way
    FAILED = "failed"


class FailedFor(enum.Enum):
    """Why a node counts as failed."""

    REGRESSION = "regression"  # it fails, and no entry speaks of it
    FLIPS = "flips"  # it failed and passed, and no entry speaks of it
    STILL_FLAKY = "still_flaky"  # its quarantine has expired, and it failed again
    UNKNOWN_SHAPE = "unknown_shape"  # in quarantine, for another failure than this one
    SHAPE_UNRECORDED = "shape_unrecorded"  # in quarantine, and the record has no failure to compare
    UNFINISHED = "unfinished"  # nothing says how it ended, and a quarantine does not excuse that


@attrs.frozen(kw_only=True)
class NodeFate:
    """One node's fate.

    ``entry`` is the one that omitted it, or whose end or signature let it fail. ``shapes`` are
    those of its failures that decided, sorted; an omitted node's are all of them.
    """

    node_id: str
    fate: Fate
    why: FailedFor | None = None
    entry: LedgerEntry | None = None
    shapes: tuple[str, ...] = ()


def fates(run: SuiteRun, ledger: Ledger, on: datetime.date) -> tuple[NodeFate, ...]:
    """Return the fate of every node that the run speaks of, sorted by node id.

    A node in quarantine is omitted whether it passed or failed in a known shape. Any run that
    failed counts, be the node run again and passed then: only the ledger can excuse a flake.
    """
    return tuple(_fate(node_id, runs, ledger, on) for node_id, runs in sorted(run.by_node.items()))


def quarantined(run: SuiteRun, ledger: Ledger, on: datetime.date) -> tuple[str, ...]:
    """Return the run's nodes that are in quarantine on this day, sorted."""
    return tuple(sorted(node for node in run.by_node if ledger.quarantines(node, on)))


def _fate(node_id: str, runs: tuple[NodeRun, ...], ledger: Ledger, on: datetime.date) -> NodeFate:
    entries = [
        entry for entry in ledger.about(node_id) if entry.allowed_action is AllowedAction.QUARANTINE
    ]
    live = [entry for entry in entries if not entry.is_expired(on)]
    failed = [run for run in runs if run.end.is_failure]
    if any(run.end in _UNSCORABLE for run in runs):
        return _failed(node_id, FailedFor.UNFINISHED, next(iter(entries), None), failed)
    if live:
        return _in_quarantine(node_id, failed, live)
    if not failed:
        return NodeFate(node_id=node_id, fate=Fate.SCORED)
    if entries:
        return _failed(node_id, FailedFor.STILL_FLAKY, entries[-1], failed)
    flips = any(run.end is NodeEnd.PASSED for run in runs)
    return _failed(node_id, FailedFor.FLIPS if flips else FailedFor.REGRESSION, None, failed)


def _in_quarantine(node_id: str, failed: list[NodeRun], live: list[LedgerEntry]) -> NodeFate:
    unknown = [run for run in failed if not _is_known(run, live)]
    if not unknown:
        entry = next((one for one in live if any(_is_known(run, [one]) for run in failed)), live[0])
        return NodeFate(
            node_id=node_id, fate=Fate.OMITTED, entry=entry, shapes=tuple(_shapes(failed))
        )
    recorded = any(run.failure is not None for run in unknown)
    why = FailedFor.UNKNOWN_SHAPE if recorded else FailedFor.SHAPE_UNRECORDED
    return _failed(node_id, why, live[0], unknown)


def _is_known(run: NodeRun, entries: list[LedgerEntry]) -> bool:
    failure = run.failure
    return failure is not None and any(matches(entry.signature, failure) for entry in entries)


def _failed(
    node_id: str, why: FailedFor, entry: LedgerEntry | None, runs: list[NodeRun]
) -> NodeFate:
    return NodeFate(
        node_id=node_id, fate=Fate.FAILED, why=why, entry=entry, shapes=tuple(_shapes(runs))
    )


def _shapes(runs: list[NodeRun]) -> Iterator[str]:
    yield from sorted({shape(run.failure) for run in runs if run.failure is not None})
