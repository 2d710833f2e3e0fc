"""Checks that a patch has moved from a test into one that it adds beside it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping

import attrs

from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.spelling import decorator_call, dotted
from benchhygiene_plugins.assertions.checks import Check
from benchhygiene_plugins.assertions.following import Followed, Follower

_MOST = 40  # added tests of one class or file that are looked into
#: What may stand above an added test: nothing of it keeps the test from running.
_HARMLESS = frozenset(("parametrize", "given", "settings", "example", "patch", "object", "asyncio"))
_ENDS = ("skip", "Skip", "xfail", "exit")


@attrs.frozen(eq=False)
class Added:
    """The tests that only the candidate has, and what they check, followed when asked for."""

    follower: Follower
    nodes: Mapping[Hashable, tuple[Node, ...]]
    _followed: dict[str, Followed | None] = attrs.field(
        factory=dict[str, "Followed | None"], init=False
    )

    @classmethod
    def of(cls, follower: Follower, nodes: Iterable[Node], paired: Iterable[Node]) -> Added:
        """Return those of the candidate's nodes that are paired with none of the parent's."""
        known = {one.node_id for one in paired}
        found: dict[Hashable, list[Node]] = {}
        for node in nodes:
            if node.node_id not in known:
                found.setdefault(_standing(node), []).append(node)
        return cls(follower, {key: tuple(where) for key, where in found.items()})

    def checks(self, beside: Node) -> Iterator[Check]:
        """Yield what tests beside a node check that have all it has and surely run."""
        arguments = {one.arg for one in beside.definition.args.args}
        for node in self.nodes.get(_standing(beside), ())[:_MOST]:
            is_alike = type(node.definition) is type(beside.definition)
            if not is_alike or not self._surely_runs(node, arguments):
                continue
            if node.node_id not in self._followed:
                self._followed[node.node_id] = self.follower.follow(node)
            followed = self._followed[node.node_id]
            if followed is not None and not followed.overflowed:
                yield from (one for one in followed.checks if one.is_effective)

    def _surely_runs(self, node: Node, arguments: set[str]) -> bool:
        module = self.follower.project.module(node.definition_path)
        if module is None or module.is_generator(node.definition):
            return False
        text = module.source.definition_text(node.definition)
        marks = [dotted(decorator_call(one)[0]) for one in node.definition.decorator_list]
        if any(mark.rpartition(".")[2] not in _HARMLESS for mark in marks):
            return False
        wanted = {one.arg for one in node.definition.args.args}
        return (bool(marks) or wanted <= arguments) and not any(word in text for word in _ENDS)


def _standing(node: Node) -> Hashable:
    return (node.path, node.definition_path, tuple(one.name for one in node.classes))


def not_elsewhere(lost: list[Check], elsewhere: Iterable[Check]) -> Iterator[Check]:
    """Yield the checks of a test that no other test makes in the same way."""
    if not lost:
        return
    known = {_key(one) for one in elsewhere}
    yield from (one for one in lost if _key(one) not in known)


def _key(check: Check) -> Hashable:
    guards = frozenset(guard.condition for guard in check.flow.guards)
    return (check.fact, check.history, guards, check.flow.loops)
