"""The nodes of one tree as plain facts, for people and for notebooks."""

from __future__ import annotations

import attrs

from benchhygiene.evidence.tree import Memo, SourceTree
from benchhygiene.inventory.collection import CollectionRules, Node, collect

_REMEMBERED = 256  # syntax trees kept at a time: a large suite's do not fit all


@attrs.frozen
class NodeFacts:
    """One test: where it stands, and how many sets of parameters it runs with.

    ``count`` is 0 without parametrization and None where it is not known, ``ids`` likewise.
    """

    node_id: str
    path: str
    line: int
    count: int | None
    ids: tuple[str, ...] | None
    is_unittest: bool


@attrs.frozen
class NodeInventory:
    """What pytest would collect from a tree, and what it would pass over, with the reason."""

    nodes: tuple[NodeFacts, ...]
    passed_over: tuple[tuple[str, str], ...]
    doctests: tuple[str, ...]
    unseen: tuple[tuple[str, str], ...]


def inventory(tree: SourceTree) -> NodeInventory:
    """Return the nodes of a tree by its own collection rules."""
    lean = attrs.evolve(tree, memo=Memo(_REMEMBERED))
    rules = CollectionRules.of(lean)
    nodes: list[NodeFacts] = []
    passed: list[tuple[str, str]] = []
    doctests: list[str] = []
    unseen: list[tuple[str, str]] = [("", reason) for reason in rules.unseen]
    # File by file, so that the syntax trees of the whole suite are never held at once.
    for path in lean.entries:
        found = collect(lean, rules, (path,))
        nodes.extend(map(_facts, found.nodes))
        passed.extend((one.node_id, one.reason.value) for one in found.passed_over)
        doctests.extend(one.node_id for one in found.doctests)
        unseen.extend((one.path, one.reason) for one in found.unseen)
    return NodeInventory(tuple(nodes), tuple(passed), tuple(doctests), tuple(unseen))


def _facts(node: Node) -> NodeFacts:
    parameters = node.parameters
    return NodeFacts(
        node.node_id,
        node.definition_path,
        node.line,
        parameters.count,
        parameters.ids,
        node.is_unittest,
    )
