"""What a real ``pytest --collect-only`` has said about a tree, recorded."""

from __future__ import annotations

import enum

import attrs


class CollectionEnd(enum.Enum):
    """How a collection ended; only a REPORTED one says anything about the tests."""

    REPORTED = "reported"
    TIMED_OUT = "timed out"
    SILENT = "ended without a report"


@attrs.frozen
class CollectedNodes:
    """The node ids one collection found, with their parameters, in pytest's order.

    ``failed`` are the collectors that failed or were skipped. The report is written inside a
    process that has imported the tree's code, so it is what that process says, and no proof.
    """

    node_ids: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    failed: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    end: CollectionEnd = CollectionEnd.REPORTED
    exit_status: int | None = None
    pytest: str = ""


@attrs.frozen
class CollectedChange:
    """What was collected from the parent, and what from the candidate."""

    parent: CollectedNodes
    candidate: CollectedNodes
