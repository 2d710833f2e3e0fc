"""One check of a node: what must hold, and what stands between it and a failing test."""

from __future__ import annotations

import enum

import attrs

from benchhygiene_plugins.assertions.terms import Term, term

NO_HISTORY = term("history")


class Origin(enum.Enum):
    """What put a condition in front of a check."""

    IF = "if"
    LEAVE = "leave"  # an earlier return
    SKIP_ROUND = "skip_round"  # an earlier continue
    STOP = "stop"  # an earlier break
    CASE = "case"
    HANDLER = "handler"  # stands where only an exception leads
    AFTER_TRY = "after_try"  # an exception above leads past it
    HANDED_ON = "handed_on"  # in a function given to somebody who may call it
    FILTER = "filter"


class Exit(enum.Enum):
    """How a block is left."""

    NEXT = "next"
    LEAVE = "leave"
    FAIL = "fail"
    STOP = "stop"
    ROUND = "round"
    SKIP = "skip"


@attrs.frozen
class Guard:
    """One condition without which the check does not run."""

    condition: Term
    origin: Origin = attrs.field(eq=False)


@attrs.define(unsafe_hash=True)
class Place:
    """Where a check stands, and its text as written; lines and columns count from 1.

    Like flows and checks never changed once it is made: frozen ones take longer to make.
    """

    path: str
    line: int
    column: int
    text: str = attrs.field(eq=False, repr=False)


@attrs.define(unsafe_hash=True)
class Flow:
    """What execution has come through: under which conditions, how often, and who catches."""

    guards: tuple[Guard, ...] = ()
    loops: tuple[Term, ...] = ()
    swallowed: str | None = None
    dead: str | None = None
    helpers: tuple[str, ...] = ()
    site: Place | None = attrs.field(default=None, eq=False)

    def guarded(self, condition: Term, origin: Origin) -> Flow:
        """Return the flow where also this must hold."""
        guard = Guard(condition, origin)
        if guard in self.guards:
            return self
        return Flow(
            (*self.guards, guard), self.loops, self.swallowed, self.dead, self.helpers, self.site
        )

    def repeated(self, iterable: Term) -> Flow:
        """Return the flow of a loop's body."""
        loops = (*self.loops, iterable)
        return Flow(self.guards, loops, self.swallowed, self.dead, self.helpers, self.site)

    def holding(self, guards: tuple[Guard, ...]) -> Flow:
        """Return the flow where these conditions hold and no others."""
        if guards == self.guards:
            return self
        return Flow(guards, self.loops, self.swallowed, self.dead, self.helpers, self.site)

    def caught(self, by: str) -> Flow:
        """Return the flow where a failure ends before it reaches the runner."""
        return self if self.swallowed else attrs.evolve(self, swallowed=by)

    def buried(self, why: str) -> Flow:
        """Return the flow of code that never runs."""
        if self.dead:
            return self
        return Flow(self.guards, self.loops, self.swallowed, why, self.helpers, self.site)

    def inside(self, helper: str) -> Flow:
        """Return the flow of a helper's body."""
        helpers = (*self.helpers, helper)
        return Flow(self.guards, self.loops, self.swallowed, self.dead, helpers, self.site)

    def called_at(self, site: Place | None) -> Flow:
        """Return the flow of what the node itself calls at a place."""
        if site is None or self.site:
            return self
        return Flow(self.guards, self.loops, self.swallowed, self.dead, self.helpers, site)


START = Flow()


@attrs.define(eq=False)
class Check:
    """One fact that a node demands.

    ``history`` is what was done before to the things the fact is about. ``void`` says why it can
    never fail, where that is so. ``is_exact`` is False where the source was too deeply nested to
    be understood: only equal source is then equal.
    """

    fact: Term
    place: Place
    flow: Flow = START
    history: Term = NO_HISTORY
    written: Term | None = None
    void: str | None = None
    is_exact: bool = True

    @property
    def is_effective(self) -> bool:
        """Return whether the check can make its test fail."""
        return not (self.void or self.flow.swallowed or self.flow.dead)
