"""What became of each node of the parent, without a judgement."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import Change
from benchhygiene.inventory.canonical import name_free, shape
from benchhygiene.inventory.collection import CollectionRules, Node, PassedOver, Reason, Unseen
from benchhygiene.inventory.pairing import Pair, Pairing
from benchhygiene.inventory.python import FunctionNode, dumped, parse, statements
from benchhygiene_plugins.nodes.findings import Cause

_OTHER_WINS = frozenset((Reason.SHADOWED, Reason.REWRITTEN, Reason.REBOUND, Reason.DEAD))


@attrs.frozen(eq=False)
class Definition:
    """A function of the candidate that is no node: the file, and the function."""

    path: str
    definition: FunctionNode


@attrs.frozen(eq=False)
class Hidden:
    """The node is not what runs under its id any more, although its definition is there."""

    node: Node
    cause: Cause
    at: Definition | None = None
    line: int | None = None


@attrs.frozen(eq=False)
class Renamed:
    """The node goes by another id."""

    node: Node
    new: Node


@attrs.frozen(eq=False)
class Deleted:
    """Nothing in the candidate is the node."""

    node: Node


@attrs.frozen(eq=False)
class Doubtful:
    """What became of the node is not known."""

    node: Node
    reason: str


Fate = Hidden | Renamed | Deleted | Doubtful


@attrs.define(eq=False)
class Fates:
    """Tells what became of nodes; ``kept`` are the pairs that are still under their ids."""

    change: Change
    rules: CollectionRules
    pairing: Pairing
    _passed: Mapping[str, list[PassedOver]] = attrs.field(init=False)
    _known: Mapping[str, list[PassedOver]] = attrs.field(init=False)
    _unseen: Mapping[str, list[Unseen]] = attrs.field(init=False)
    _elsewhere: Mapping[str, list[Definition]] | None = attrs.field(default=None, init=False)
    # By identity: the pairing keeps every node and definition alive.
    _hashes: dict[int, str] = attrs.field(factory=dict[int, str], init=False)
    _shapes: Mapping[tuple[str, ...], Sequence[Node]] | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self._passed = _by_id(self.pairing.candidate.passed_over)
        self._known = _by_id(self.pairing.parent.passed_over)
        unseen: dict[str, list[Unseen]] = {}
        for one in self.pairing.candidate.unseen:
            unseen.setdefault(one.path, []).append(one)
        self._unseen = unseen

    def all(self) -> Iterator[Fate]:
        """Yield the fate of every node that is not simply there."""
        for pair in self.pairing.pairs:
            fate = self.of(pair)
            if fate is not None:
                yield fate

    def of(self, pair: Pair) -> Fate | None:
        """Return what became of one node, None where it is still there."""
        if pair.new is not None and not pair.is_renamed:
            return self._covered(pair.old, pair.new)
        hidden = self._passed_over(pair.old)
        if hidden is not None:
            return hidden
        if pair.new is not None:
            return Renamed(pair.old, pair.new)
        return self._missing(pair.old)

    def _covered(self, old: Node, new: Node) -> Hidden | Renamed | None:
        """Return how a node that still has its id is no longer the same test."""
        lost = [one for one in self._passed.get(new.node_id, ()) if one.reason in _OTHER_WINS]
        lost = [] if lost and _calls(new.definition, old.name) else lost
        before = len(self._known.get(old.node_id, ()))
        if lost and self._hash(new.definition) != self._hash(old.definition):
            own = self._hash(old.definition)
            same = next((one for one in lost if self._hash(one.definition) == own), None)
            if same is not None or len(lost) > before:
                return _hidden(old, same or lost[-1])
        moved = self._moved_away(old, new)
        if moved is not None:
            return moved
        if new.is_replaced and not old.is_replaced:
            return Hidden(old, Cause.REPLACED, Definition(new.definition_path, new.definition))
        if _texts(new) - _texts(old):
            at = Definition(new.definition_path, new.definition)
            return Hidden(old, Cause.GUARDED, at, new.line)
        return None

    def _moved_away(self, old: Node, new: Node) -> Renamed | None:
        """Return where the test's body went when its id was given to another one."""
        if self._is_untouched(old, new):
            return None
        others = [one for one in self._touched(shape(old.definition)) if one is not new]
        if not others:
            return None
        own = self._hash(old.definition)
        now = next((one for one in reversed(others) if self._hash(one.definition) == own), None)
        if now is None or own == self._hash(new.definition) or self._is_shared(old, own):
            return None
        return Renamed(old, now)

    def _is_untouched(self, old: Node, new: Node) -> bool:
        texts = (
            tree.derived(node.definition_path, parse).definition_text(node.definition)
            for tree, node in ((self.change.parent, old), (self.change.candidate, new))
        )
        return len({*texts}) == 1

    def _touched(self, wanted: tuple[str, ...]) -> Sequence[Node]:
        """Return the nodes of a shape that are new, or have another text than before."""
        if self._shapes is None:
            pairs = [(one.old, one.new) for one in self.pairing.pairs if one.new is not None]
            touched = [new for old, new in pairs if not self._is_untouched(old, new)]
            found: dict[tuple[str, ...], list[Node]] = {}
            for one in (*self.pairing.added, *touched):
                found.setdefault(shape(one.definition), []).append(one)
            self._shapes = found
        return self._shapes.get(wanted, ())

    def _is_shared(self, old: Node, own: str) -> bool:
        nodes = self.pairing.parent.nodes
        return any(node is not old and self._hash(node.definition) == own for node in nodes)

    def _hash(self, definition: FunctionNode) -> str:
        if id(definition) not in self._hashes:
            self._hashes[id(definition)] = name_free(definition)
        return self._hashes[id(definition)]

    def _passed_over(self, old: Node) -> Hidden | None:
        found = self._passed.get(old.node_id, ())
        if not found:
            return None
        own = self._hash(old.definition)
        same = next((one for one in found if self._hash(one.definition) == own), found[-1])
        return _hidden(old, same)

    def _missing(self, old: Node) -> Fate:
        for one in self._unseen.get(old.path, ()):
            if one.is_broken:
                return Hidden(old, Cause.BROKEN)
            if one.is_whole_file:
                return Doubtful(old, one.reason)
        for found in self._definitions().get(self._hash(old.definition), ()):
            return Hidden(old, self._cause(old, found), found, found.definition.lineno)
        named = self._definitions().get(f"{old.path}::{old.name}", ())
        for found in named:
            return Hidden(old, self._cause(old, found), found, found.definition.lineno)
        return Deleted(old)

    def _cause(self, old: Node, found: Definition) -> Cause:
        for several in self._passed.values():
            for one in several:
                if one.definition is found.definition:
                    return _CAUSES[one.reason]
        if not self.rules.is_test_file(found.path) and found.path != old.path:
            return Cause.FILE
        return Cause.NAME if found.definition.name != old.name else Cause.NESTED

    def _definitions(self) -> Mapping[str, list[Definition]]:
        """Return the candidate's functions that are no nodes, by body and by file and name."""
        if self._elsewhere is None:
            collected = {id(node.definition) for node in self.pairing.candidate.nodes}
            found: dict[str, list[Definition]] = {}
            for one in self._functions():
                if id(one.definition) not in collected:
                    name = f"{one.path}::{one.definition.name}"
                    for key in (self._hash(one.definition), name):
                        found.setdefault(key, []).append(one)
            self._elsewhere = found
        return self._elsewhere

    def _functions(self) -> Iterator[Definition]:
        tree = self.change.candidate
        for path in self.change.differing():
            if not path.endswith(".py") or not tree.is_file(path):
                continue
            try:
                body = tree.derived(path, parse).body
            except EvidenceUnavailable:
                continue
            for statement in statements(body):
                if isinstance(statement, FunctionNode):
                    yield Definition(path, statement)


def _hidden(old: Node, found: PassedOver) -> Hidden:
    at = Definition(found.path, found.definition)
    return Hidden(old, _CAUSES[found.reason], at, found.line)


def _calls(definition: FunctionNode, name: str) -> bool:
    """Return whether a function calls a method of this name, as ``super().test_a()`` does."""
    calls = (one.func for one in ast.walk(definition) if isinstance(one, ast.Call))
    return any(isinstance(one, ast.Attribute) and one.attr == name for one in calls)


def _by_id(found: Iterable[PassedOver]) -> Mapping[str, list[PassedOver]]:
    by_id: dict[str, list[PassedOver]] = {}
    for one in found:
        by_id.setdefault(one.node_id, []).append(one)
    return by_id


def _texts(node: Node) -> set[str]:
    return {f"{outcome} {dumped(test)}" for test, outcome in node.conditions}


_CAUSES: Mapping[Reason, Cause] = {reason: Cause[reason.name] for reason in Reason}
