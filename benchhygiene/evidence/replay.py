"""A pack's tests, run against a candidate's source: what was owed, what came back, and how."""

from __future__ import annotations

import enum
import functools
from collections.abc import Mapping

import attrs

from benchhygiene.evidence.suite import NodeEnd, SuiteRun


class ReplayEnd(enum.Enum):
    """How the process that ran the tests ended."""

    EXITED = "exited"
    SIGNALLED = "ended by a signal"
    TIMED_OUT = "out of time"
    OUT_OF_MEMORY = "out of memory"
    OVERFLOWED = "reported without end"


class ListedBy(enum.Enum):
    """Where the list of nodes that are owed comes from."""

    PARENT = "parent"  # collected from the pack's tests over the parent's source
    PACK = "pack"  # read off the pack's tests, without running them: parameters may be missing


class DeedKind(enum.Enum):
    """What source under test did in the tests' process that a product has no use for."""

    REPLACED = "replaced"  # a part of pytest, unittest, hypothesis or the builtins is another one
    HOOKED = "hooked"  # a pytest hook of its own was registered
    READ_TESTS = "read tests"  # a file of the pack's tests was opened
    WALKED = "walked"  # the garbage collector was asked for other people's objects
    FRAMES = "frames"  # the frames of its callers were asked for
    TRACED = "traced"  # a tracing or profiling function was set
    SIGNALLED = "signalled"  # a signal was sent to the tests' own process or its parent
    SKIPPED = "skipped"  # a test was ended as skipped or as expected to fail
    LIED = "lied"  # an object said that it equals whatever it is held against
    CONNECTED = "connected"  # something outside of the machine was to be reached

    @property
    def is_common(self) -> bool:
        """Return whether an honest product may do it, so that only the parent can tell."""
        return self in (DeedKind.FRAMES, DeedKind.WALKED, DeedKind.TRACED)


@attrs.frozen(order=True)
class Deed:
    """One such deed: the file it was done in, empty where nobody knows, and what was touched."""

    kind: DeedKind = attrs.field(order=lambda kind: kind.value)
    path: str
    what: str = ""


@attrs.frozen
class Canary:
    """A node that we planted under a random name, how it must end, and how it did.

    ``end`` is None where nothing came back. ``is_genuine`` says that it failed with the words that
    only running it gives.
    """

    node_id: str
    must: NodeEnd
    end: NodeEnd | None
    is_genuine: bool = True

    @property
    def is_right(self) -> bool:
        """Return whether it came back as it must."""
        return self.end is self.must and self.is_genuine


@attrs.frozen(kw_only=True)
class OwedBudget:
    """What the campaign asks of one node; ``node_id`` is None where no single one is meant.

    ``is_exhausted`` says that there was nothing left to try.
    """

    key: str
    node_id: str | None
    max_examples: int | None = None
    samples: int | None = None
    is_property: bool = False
    is_exhausted: bool = False


@attrs.frozen
class Unwitnessed:
    """Changed lines of one source file that no test of the pack executed, counted from 1."""

    path: str
    lines: tuple[int, ...] = attrs.field(converter=tuple[int, ...])


@attrs.frozen(kw_only=True)
class Replay:
    """One replay. The canaries are in none of its lists but their own.

    ``expected`` are the nodes that are owed, ``collected`` those that pytest found over the
    candidate. ``code`` is the process's exit status or signal, ``reported`` what pytest returned.
    ``is_closed`` says that the last word of the report arrived, ``forged`` how many messages on the
    report's channel were not the reporter's. ``repeated`` are nodes that ended twice in one run.
    ``set_aside`` are files of the candidate that would have taken part in the tests, ``planted``
    those that stand for an installed module, ``loaded`` its source files that were imported.
    ``reruns`` is how often flaky nodes ran again; that is part of ``suite`` as well. ``baseline``
    is the same over the parent.
    """

    suite: SuiteRun
    expected: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    listed_by: ListedBy = ListedBy.PACK
    collected: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    canaries: tuple[Canary, ...] = attrs.field(default=(), converter=tuple[Canary, ...])
    end: ReplayEnd = ReplayEnd.EXITED
    code: int | None = 0
    reported: int | None = 0
    is_closed: bool = True
    forged: int = 0
    repeated: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    deeds: tuple[Deed, ...] = attrs.field(default=(), converter=tuple[Deed, ...])
    loaded: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    set_aside: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    planted: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    budgets: tuple[OwedBudget, ...] = attrs.field(default=(), converter=tuple[OwedBudget, ...])
    unwitnessed: tuple[Unwitnessed, ...] | None = None
    nonhermetic: tuple[Deed, ...] = attrs.field(default=(), converter=tuple[Deed, ...])
    reruns: int = 0
    isolation: str = "namespaces"
    python: str = ""
    pytest: str = ""
    pack_sha256: str | None = None
    baseline: SuiteRun | None = None
    roots: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False)

    @property
    def parts(self) -> tuple[SuiteRun, ...]:
        """Return the run itself: it is evidence on its own."""
        return (self.suite,)

    @functools.cached_property
    def before(self) -> Mapping[str, NodeEnd]:
        """Return how each node ended over the parent, the last run deciding."""
        runs = () if self.baseline is None else self.baseline.nodes
        return {run.node_id: run.end for run in runs}
