"""What setting a test up did, kept for the next test that is set up in the same way.

What fixtures and set-up methods do depends on nothing but the tree, the classes and files they are
looked up in, the names that are asked for, and what the trace holds when they begin. Where that is
nothing yet, it is done once and then repeated from what it left behind.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from benchhygiene_plugins.assertions.checks import Check, Flow, Place
from benchhygiene_plugins.assertions.terms import Term
from benchhygiene_plugins.assertions.trace import Pending, Trace

if TYPE_CHECKING:
    from benchhygiene.inventory.collection import Node
    from benchhygiene_plugins.assertions.execution import Run


@attrs.frozen(eq=False)
class SetUp:
    """All that a trace holds when a test has been set up, and the names it asked for.

    ``classes`` are kept because a set-up is looked up by what they are, not by what they are like.
    """

    classes: Sequence[ast.ClassDef]
    names: Mapping[str, Term]
    checks: Sequence[Check]
    effects: Sequence[tuple[Term, Place]]
    chains: Mapping[bytes, Term]
    attributes: Mapping[bytes, Mapping[str, Term]]
    pending: Mapping[bytes, Pending]
    spent: int

    @classmethod
    def of(cls, run: Run, node: Node, requested: Sequence[str], before: Before) -> SetUp:
        """Return what a set-up has just left behind."""
        trace = run.trace
        return cls(
            node.classes,
            {name: run.names[name] for name in requested},
            tuple(trace.checks[before.checks :]),
            tuple(trace.effects[before.effects :]),
            dict(trace.chains),
            {key: dict(noted) for key, noted in trace.attributes.items()},
            dict(trace.pending),
            before.budget - trace.budget,
        )

    def repeat(self, run: Run) -> None:
        """Do to a run and its trace what the set-up did."""
        trace = run.trace
        run.names.update(self.names)
        # Two tests never have one check: comparisons tell them apart by what they are.
        trace.checks.extend(
            Check(c.fact, c.place, c.flow, c.history, c.written, c.void, c.is_exact)
            for c in self.checks
        )
        trace.effects.extend(self.effects)
        trace.chains.update(self.chains)
        trace.attributes.update((key, dict(noted)) for key, noted in self.attributes.items())
        trace.pending.update(self.pending)
        trace.budget -= self.spent


@attrs.frozen(eq=False)
class Before:
    """How far a trace was when a set-up began."""

    checks: int
    effects: int
    budget: int

    @classmethod
    def of(cls, trace: Trace) -> Before:
        """Return how far a trace is."""
        return cls(len(trace.checks), len(trace.effects), trace.budget)


def is_blank(trace: Trace) -> bool:
    """Return whether nothing that a trace holds can bear on what is followed next."""
    return not (
        trace.chains
        or trace.attributes
        or trace.pending
        or trace.recorders
        or trace.raising
        or trace.seam
        or trace.tearing_down
        or trace.muted
        or trace.overflowed
    )


def standing(node: Node, requested: Sequence[str], flow: Flow, trace: Trace) -> Hashable:
    """Return what is equal where two tests are set up in the same way."""
    classes = tuple(map(id, node.classes))
    return (
        node.path,
        node.definition_path,
        classes,
        tuple(requested),
        flow.swallowed,
        trace.unrolls,
        trace.blind,
    )
