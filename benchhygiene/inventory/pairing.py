"""Match the nodes of a parent with those of a candidate: by id, then by their name-free bodies."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Sequence

import attrs

from benchhygiene.evidence.tree import Change
from benchhygiene.inventory.canonical import name_free
from benchhygiene.inventory.collection import Collection, Node
from benchhygiene.inventory.python import dumped
from benchhygiene.inventory.touched import Touched

_ALIKE = 0.5
_MOST_COMPARED = 20_000


@attrs.frozen(eq=False)
class Pair:
    """One node of the parent and what became of it: None where nothing in the candidate is it.

    ``is_exact`` is False where the two go by other ids and only most of their statements are alike.
    """

    old: Node
    new: Node | None = None
    is_exact: bool = True

    @property
    def is_renamed(self) -> bool:
        """Return whether the same test now goes by another node id."""
        return self.new is not None and self.new.node_id != self.old.node_id


@attrs.frozen(eq=False)
class Pairing:
    """Every node of the parent with its counterpart, and the candidate's nodes that are new."""

    parent: Collection
    candidate: Collection
    pairs: tuple[Pair, ...]
    added: tuple[Node, ...]


def of_change(change: Change) -> Pairing:
    """Return the pairing of the nodes that a change may have touched, by the parent's rules.

    Nodes in files that are the same on both sides, and depend on none that differ, are left out, as
    are nodes beside which nothing but the bodies of other tests differs.
    """
    touched = change.surveyed(Touched.by)
    return pair(touched.parent, touched.candidate)


def of_whole_files(change: Change) -> Pairing:
    """Return the pairing with every node of each file that a change may have touched."""
    touched = change.surveyed(Touched.whole)
    return pair(touched.parent, touched.candidate)


def pair(parent: Collection, candidate: Collection) -> Pairing:
    """Return which node of the candidate each node of the parent has become."""
    by_id, known = candidate.by_id(), parent.by_id()
    pool = _Pool([node for node in candidate.nodes if node.node_id not in known])
    pairs = [Pair(old, by_id.get(old.node_id)) for old in parent.nodes]
    pairs = [one if one.new is not None else Pair(one.old, pool.same(one.old)) for one in pairs]
    pairs = [one if one.new is not None else pool.alike(one.old) for one in pairs]
    return Pairing(parent, candidate, tuple(pairs), tuple(pool.left()))


class _Pool:
    """Nodes of the candidate that no node of the parent has claimed."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._left = {id(node): node for node in nodes}
        self._by_body: dict[str, list[Node]] = {}
        self._by_scope: dict[tuple[str, str], list[Node]] = {}
        self._compared = 0
        for node in nodes:
            self._by_body.setdefault(name_free(node.definition), []).append(node)
            self._by_scope.setdefault(_scope(node), []).append(node)

    def left(self) -> Iterable[Node]:
        return self._left.values()

    def same(self, old: Node) -> Node | None:
        """Claim the node with the same body; of several the one nearest by name and place."""
        if not self._left:
            return None
        nodes = self._free(self._by_body.get(name_free(old.definition), ()))
        return self._claim(max(nodes, key=lambda node: _nearness(old, node), default=None))

    def alike(self, old: Node) -> Pair:
        """Claim a node in the same place that shares most statements."""
        best: Node | None = None
        score = 0.0
        for node in self._free(self._by_scope.get(_scope(old), ())):
            self._compared += 1
            if self._compared > _MOST_COMPARED:
                break
            shared = _similarity(old, node)
            if shared > score:
                best, score = node, shared
        new = self._claim(best) if score >= _ALIKE else None
        return Pair(old, new, is_exact=new is None)

    def _free(self, nodes: Iterable[Node]) -> list[Node]:
        return [node for node in nodes if id(node) in self._left]

    def _claim(self, node: Node | None) -> Node | None:
        if node is not None:
            del self._left[id(node)]
        return node


def _scope(node: Node) -> tuple[str, str]:
    return node.path, node.qualname.rpartition(".")[0]


def _nearness(old: Node, new: Node) -> tuple[bool, bool, bool]:
    return old.name == new.name, old.path == new.path, _scope(old) == _scope(new)


def _similarity(old: Node, new: Node) -> float:
    """Return the share of statements two functions have in common."""
    first, second = _statements(old), _statements(new)
    total = max(sum(first.values()), sum(second.values()))
    return sum((first & second).values()) / total if total else 0.0


def _statements(node: Node) -> Counter[str]:
    body = node.definition.body
    return Counter(
        dumped(one)
        for one in body
        if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    )
