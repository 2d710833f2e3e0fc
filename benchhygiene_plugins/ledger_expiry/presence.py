"""Whether the node an entry speaks of exists in a tree."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene import AllowedAction, LedgerEntry, SourceTree
from benchhygiene.evidence.ledger import without_parameters
from benchhygiene.inventory.collection import CollectionRules, Node, collect


class Presence(enum.Enum):
    """What is known of a node in a tree."""

    PRESENT = "present"
    ABSENT = "absent"
    UNKNOWN = "unknown"


def presences(
    entries: Iterable[LedgerEntry], tree: SourceTree
) -> Iterator[tuple[LedgerEntry, Presence]]:
    """Yield each entry with whether its node is one that pytest would collect from the tree.

    An entry for a rename, move or deletion that has already happened counts as present.
    """
    given = tuple(entries)
    known = _known(tree, given)
    for entry in given:
        yield entry, _presence(entry, known)


@attrs.frozen
class _Known:
    """What the files that the entries name hold."""

    tree: SourceTree
    nodes: Mapping[str, Node]
    doctests: frozenset[str]
    opaque: frozenset[str]

    def presence(self, node_id: str) -> Presence:
        path = _path(node_id)
        if path not in self.tree.entries:
            return Presence.UNKNOWN if self.tree.unseen else Presence.ABSENT
        node = self.nodes.get(without_parameters(node_id))
        if node is not None:
            return _parameter_presence(node, node_id)
        if node_id in self.doctests:
            return Presence.PRESENT
        return Presence.UNKNOWN if path in self.opaque else Presence.ABSENT


def _known(tree: SourceTree, entries: tuple[LedgerEntry, ...]) -> _Known:
    names = (name for entry in entries for name in (entry.node_id, entry.renamed_to) if name)
    paths = sorted({path for path in map(_path, names) if path in tree.entries})
    rules = CollectionRules.of(tree)
    found = collect(tree, rules, paths)
    doubted = {unseen.path for unseen in found.unseen}
    # Plugins collect from files of other kinds, which no inventory reads.
    others = {path for path in paths if not (tree.is_file(path) and rules.is_test_file(path))}
    doctests = frozenset(doctest.node_id for doctest in found.doctests)
    return _Known(tree, found.by_id(), doctests, frozenset(doubted | others))


def _path(node_id: str) -> str:
    return node_id.partition("::")[0]


def _parameter_presence(node: Node, node_id: str) -> Presence:
    if node_id == node.node_id:
        return Presence.PRESENT
    if node.parameters.ids is None:
        return Presence.UNKNOWN
    wanted = node_id[len(node.node_id) + 1 : -1]
    return Presence.PRESENT if wanted in node.parameters.ids else Presence.ABSENT


def _presence(entry: LedgerEntry, known: _Known) -> Presence:
    found = known.presence(entry.node_id)
    if found is not Presence.ABSENT:
        return found
    if entry.allowed_action is AllowedAction.DELETE:
        return Presence.PRESENT
    return found if entry.renamed_to is None else known.presence(entry.renamed_to)
