"""Every node of the parent that a change may have touched, with what became of its checks."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene.evidence.tree import Change
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.pairing import Pair
from benchhygiene_plugins.assertions.affected import affected
from benchhygiene_plugins.assertions.comparison import compare
from benchhygiene_plugins.assertions.doubts import Unseen, doubts
from benchhygiene_plugins.assertions.edits import Edit
from benchhygiene_plugins.assertions.exceptions import Hierarchy
from benchhygiene_plugins.assertions.following import Followed, Follower
from benchhygiene_plugins.assertions.modules import Project, is_test_side
from benchhygiene_plugins.assertions.surroundings import Surroundings


@attrs.frozen(eq=False)
class Judged:
    """One node and the edits of its checks; ``reason`` says why there may be more.

    ``cause`` is the file that differs where the node's own does not.
    """

    pair: Pair
    new: Node
    edits: tuple[Edit, ...]
    reason: str | None = None
    cause: str | None = None


def judge(change: Change) -> Iterator[Judged | Unseen]:
    """Yield every node of the parent whose checks are not what they were."""
    parent, candidate = Project(change.parent), Project(change.candidate)
    before, after = Follower(parent), Follower(candidate)
    hierarchy = Hierarchy(candidate)
    pairing = affected(change)
    differing = tuple(path for path in change.differing() if path.endswith(".py"))
    around = tuple(
        Surroundings.of(side, collection.nodes)
        for side, collection in ((parent, pairing.parent), (candidate, pairing.candidate))
    )
    shared = frozenset(
        path
        for path in differing
        if is_test_side(path) and around[0].around(path) != around[1].around(path)
    )
    for pair in pairing.pairs:
        if pair.new is None or _is_untouched(pair, pair.new, around, candidate, shared):
            continue
        judged = _judged(pair, pair.new, before, after, hierarchy)
        if judged.edits:
            judged = attrs.evolve(judged, cause=_cause(pair.new, after, differing))
        if judged.edits or judged.reason:
            yield judged
    yield from doubts(change, pairing, parent, candidate)


def _judged(
    pair: Pair, new: Node, before: Follower, after: Follower, hierarchy: Hierarchy
) -> Judged:
    many = (before.rows(pair.old), after.rows(new))
    rows = None if many == (None, None) else (many[0] or frozenset()) & (many[1] or frozenset())
    old_side, new_side = before.follow(pair.old, rows=rows), after.follow(new, rows=rows)
    if any(side is not None and side.overflowed for side in (old_side, new_side)):
        old_side = before.follow(pair.old, unrolls=False, rows=rows)
        new_side = after.follow(new, unrolls=False, rows=rows)
    if old_side is None or new_side is None:
        return Judged(pair, new, (), "its file cannot be read")
    return Judged(pair, new, compare(old_side, new_side, hierarchy), _doubt(old_side, new_side))


def _is_untouched(
    pair: Pair,
    new: Node,
    around: tuple[Surroundings, ...],
    candidate: Project,
    shared: frozenset[str],
) -> bool:
    """Return whether a node reads the same, and so does everything it can see of the tests."""
    module = candidate.module(new.definition_path)
    for path in shared - {new.path, new.definition_path}:
        stem = path.rpartition("/")[2].removesuffix(".py")
        if stem in ("conftest", "__init__") or module is None or stem in module.source.text:
            return False
    before, after = around[0].key(pair.old), around[1].key(new)
    return before is not None and before == after


def _cause(node: Node, follower: Follower, differing: tuple[str, ...]) -> str | None:
    """Return the file of the tests' own that changed what a node's unchanged source means."""
    if {node.path, node.definition_path} & set(differing):
        return None
    module = follower.project.module(node.definition_path)
    shared = [path for path in differing if is_test_side(path)]
    for path in shared:
        stem = path.rpartition("/")[2].removesuffix(".py")
        if module is not None and stem in module.source.text:
            return path
    return shared[0] if shared else None


def _doubt(old: Followed, new: Followed) -> str | None:
    if old.overflowed or new.overflowed:
        return "there is more in it than is followed"
    return None
