"""Find the nodes whose parameter sets differ, and the doctests that are gone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from benchhygiene.evidence.tree import Change
from benchhygiene.inventory.collection import CollectionRules, Doctest, Node
from benchhygiene.inventory.loops import Loops, loops_of
from benchhygiene.inventory.modules import Modules
from benchhygiene.inventory.pairing import Pairing
from benchhygiene.inventory.parameters import Axis, Parameters
from benchhygiene.inventory.python import statements
from benchhygiene_plugins.nodes.rows import Difference, compared, differences
from benchhygiene_plugins.nodes.steadiness import Steadiness


def changed_rows(
    change: Change, rules: CollectionRules, pairing: Pairing, hidden: frozenset[str]
) -> Iterator[tuple[Node, Node, Difference]]:
    """Yield each difference with the node before and after; one of a shared fixture only once.

    Nodes that are hidden run something else, whose parameters say nothing.
    """
    old_modules = Modules(change.parent, rules.pythonpath)
    new_modules = Modules(change.candidate, rules.pythonpath)
    seen: set[tuple[str, int]] = set()
    differing = frozenset(change.differing())
    steadiness = Steadiness.of(change)
    for pair in pairing.pairs:
        if pair.new is None or pair.old.node_id in hidden:
            continue
        steady = steadiness.is_steady(pair.old, pair.new)
        for found in _of_pair(pair.old, pair.new, old_modules, new_modules, steady=steady):
            shared = _shared_fixture(pair.new, found, differing)
            if shared is None or shared not in seen:
                seen.update(() if shared is None else (shared,))
                yield pair.old, pair.new, found


def _shared_fixture(
    node: Node, found: Difference, differing: frozenset[str]
) -> tuple[str, int] | None:
    axis = found.new or found.old
    if axis is None or axis.path == node.path or axis.path not in differing:
        return None
    if axis.kind == "fixture":
        return axis.path, axis.line
    return None


def _of_pair(
    old: Node, new: Node, old_modules: Modules, new_modules: Modules, *, steady: bool
) -> Iterator[Difference]:
    if steady:
        yield from differences(old.parameters, new.parameters)
        return
    before = loops_of(old_modules, old) if _has_loop(old) else Loops()
    after = loops_of(new_modules, new) if _has_loop(new) or before.every else Loops()
    yield from differences(old.parameters, new.parameters, after.every)
    yield from _subtests(before, after, new.parameters)
    yield from _checking(before.checking, after.checking)


def _has_loop(node: Node) -> bool:
    loops = ast.For | ast.AsyncFor | ast.With | ast.AsyncWith
    return any(isinstance(one, loops) for one in statements(node.definition.body))


def _subtests(before: Loops, after: Loops, parameters: Parameters) -> Iterator[Difference]:
    """Compare the loops around sub-tests in their order."""
    left = list(after.subtests)
    if not before.subtests:
        return
    for axis in before.subtests:
        if left:
            yield from (one for one in compared(axis, left.pop(0)) if one.is_shrunk or one.reason)
        elif not _stands_in(axis, after, parameters):
            yield Difference(axis, None, lost=axis.rows or (), is_shrunk=True)

    if after.subtests and after.exits > before.exits:
        yield Difference(before.subtests[0], after.subtests[0], is_shrunk=True)


def _checking(before: Sequence[Axis], after: Sequence[Axis]) -> Iterator[Difference]:
    """Compare the loops around plain checks where they are as many as they were."""
    if len(before) == len(after):
        for old, new in zip(before, after, strict=True):
            known = old.rows is not None and new.rows is not None
            narrowed = new.rows is None and new.narrowings > old.narrowings
            for one in compared(old, new) if known or narrowed else ():
                if one.is_shrunk and (narrowed or len(new.rows or ()) < len(old.rows or ())):
                    yield one


def _stands_in(axis: Axis, after: Loops, parameters: Parameters) -> bool:
    """Return whether other loops, parameters or single sub-tests go through the rows."""
    rows = {row.cells for row in axis.rows or ()}
    if axis.rows is not None and max(after.single, after.checks) >= len(axis.rows):
        return True  # written out one by one
    others = (*after.every, *parameters.axes)
    return any(rows <= {row.cells for row in other.rows or ()} for other in others if other.rows)


def lost_doctests(pairing: Pairing) -> Iterator[Doctest]:
    """Yield the doctest items that are no longer there."""
    kept = {one.node_id for one in pairing.candidate.doctests}
    return (one for one in pairing.parent.doctests if one.node_id not in kept)
