"""Match the nodes of a parent with those of a candidate: by id, then by their name-free bodies."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable

import attrs

from benchhygiene.evidence.tree import Change
from benchhygiene.inventory.collection import Collection, CollectionRules, Node, collect
from benchhygiene.inventory.python import FunctionNode


@attrs.frozen(eq=False)
class Pair:
    """One node of the parent and what became of it: None where nothing in the candidate is it."""

    old: Node
    new: Node | None = None

    @property
    def is_renamed(self) -> bool:
        """Return whether the same body now goes by another node id."""
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

    Nodes in files that are the same on both sides, and depend on none that differ, are left out.
    """
    rules = CollectionRules.of(change.parent)
    differing = [path for path in change.differing() if path.endswith(".py")]
    old, new = (
        collect(tree, rules, [path for path in differing if tree.is_file(path)])
        for tree in (change.parent, change.candidate)
    )
    return pair(old, new)


def pair(parent: Collection, candidate: Collection) -> Pairing:
    """Return which node of the candidate each node of the parent has become."""
    by_id = candidate.by_id()
    known = parent.by_id()
    unclaimed = [node for node in candidate.nodes if node.node_id not in known]
    homeless = _by_body(unclaimed)
    pairs: list[Pair] = []
    for old in parent.nodes:
        new = by_id.get(old.node_id)
        if new is None:
            same = homeless.get(body_hash(old.definition), [])
            new = same.pop(0) if same else None
        pairs.append(Pair(old, new))
    taken = {id(one.new) for one in pairs}
    added = tuple(node for node in unclaimed if id(node) not in taken)
    return Pairing(parent, candidate, tuple(pairs), added)


def _by_body(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for node in nodes:
        found.setdefault(body_hash(node.definition), []).append(node)
    return found


def body_hash(definition: FunctionNode) -> str:
    """Return a hash of what a function does: not of its name, docstring or decorators."""
    body = list(definition.body)
    if ast.get_docstring(definition, clean=False) is not None:
        body = body[1:]
    text = "\n".join(ast.dump(node) for node in (definition.args, *body))
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
