"""What a run of a test suite did, node by node, wherever it was recorded."""

from __future__ import annotations

import datetime
import enum
import functools
from collections.abc import Mapping

import attrs


class NodeEnd(enum.Enum):
    """How one node ended: pytest's own words, and two for what nobody can score."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"  # setup or teardown raised
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"
    UNFINISHED = "unfinished"  # it was started, and nothing says how it ended
    UNKNOWN = "unknown"  # the record names an end that its format does not define

    @property
    def is_failure(self) -> bool:
        """Return whether the node ran and did not do what it must."""
        return self in (NodeEnd.FAILED, NodeEnd.ERROR)


@attrs.frozen
class Failure:
    """The exception that ended a node: its type's name as it was printed, and its message."""

    exception: str
    message: str = ""


@attrs.frozen(kw_only=True)
class NodeRun:
    """One run of one node; a node that was run again appears once for every run, in order.

    ``duration`` is in seconds. ``examples`` and ``samples`` are how many a property test or a
    benchmark really executed, None where nobody counted. ``id_is_guessed`` says that the record
    does not hold the node id, which was put together from a class and a name.
    """

    node_id: str
    end: NodeEnd
    failure: Failure | None = None
    duration: float | None = None
    reason: str | None = None
    examples: int | None = None
    samples: int | None = None
    id_is_guessed: bool = False


@attrs.frozen(kw_only=True)
class SuiteRun:
    """All that a record of a run says, in the order in which it says it.

    ``origin`` names the record's form (``replay``, ``reportlog``, ``junit``), ``exit_status`` is
    the process's, ``ended`` in UTC; None where the record is silent.
    ``failed_collectors`` are the node ids of what could not be collected. ``doubts`` says, a
    sentence each, what the record does not tell although it should: it ends too early, or says two
    things of one node.
    """

    origin: str
    nodes: tuple[NodeRun, ...] = attrs.field(default=(), converter=tuple[NodeRun, ...])
    exit_status: int | None = None
    ended: datetime.datetime | None = None
    failed_collectors: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    doubts: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])

    @functools.cached_property
    def by_node(self) -> Mapping[str, tuple[NodeRun, ...]]:
        """Return the runs of each node by its id, both in the record's order."""
        found: dict[str, list[NodeRun]] = {}
        for run in self.nodes:
            found.setdefault(run.node_id, []).append(run)
        return {node_id: tuple(runs) for node_id, runs in found.items()}
