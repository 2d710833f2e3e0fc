"""Every node of the parent that a change may have touched, with what became of its checks."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene.evidence.tree import Change
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.pairing import Pair
from benchhygiene_plugins.assertions.affected import affected
from benchhygiene_plugins.assertions.attribution import own_edits
from benchhygiene_plugins.assertions.comparison import compare
from benchhygiene_plugins.assertions.doubts import Unseen, doubts
from benchhygiene_plugins.assertions.edits import Edit
from benchhygiene_plugins.assertions.exceptions import Hierarchy
from benchhygiene_plugins.assertions.following import Followed, Follower
from benchhygiene_plugins.assertions.merging import Merging, merged
from benchhygiene_plugins.assertions.modules import Project, is_test_side
from benchhygiene_plugins.assertions.splitting import Added
from benchhygiene_plugins.assertions.surroundings import Sameness


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
    parent = Project(change.parent)
    candidate = Project(change.candidate, parent)
    before, after = Follower(parent), Follower(candidate)
    hierarchy = Hierarchy(candidate)
    reached = affected(change, (parent, candidate))
    pairing = reached.pairing
    differing = tuple(path for path in change.differing() if path.endswith(".py"))
    same = Sameness(parent, candidate, reached)
    paired = [pair.new for pair in pairing.pairs if pair.new is not None]
    added = Added.of(after, pairing.candidate.nodes, paired)
    for pair in pairing.pairs:
        if pair.new is None or same.is_untouched(pair.old, pair.new):
            continue
        judged, is_alone = None, same.is_alone(pair.old, pair.new)
        if is_alone:
            judged = _at_once(pair, pair.new, before, candidate, hierarchy, added)
        if judged is None:
            judged = _judged(pair, pair.new, before, after, hierarchy, added)
        if judged.edits and not is_alone:
            judged = _of_itself(judged, before, after, hierarchy)
        if judged.edits:
            judged = attrs.evolve(judged, cause=_cause(pair.new, after, differing))
        if judged.edits or judged.reason:
            yield judged
    yield from doubts(change, pairing, parent, candidate)


def _at_once(
    pair: Pair,
    new: Node,
    before: Follower,
    candidate: Project,
    hierarchy: Hierarchy,
    added: Added,
) -> Judged | None:
    """Judge a node by one look for both sides, None where that does not do."""
    module, module_after = (
        side.module(node.definition_path)
        for side, node in ((before.project, pair.old), (candidate, new))
    )
    if module is None or module_after is None:
        return None
    block = merged(pair.old.definition, new.definition, (module.source, module_after.source))
    if block is None:
        return None
    merging = Merging(block, module_after)
    followed = before.follow(pair.old, rows=before.rows(pair.old), merging=merging)
    if followed is None or followed.overflowed:
        return None
    sides = merging.sides(followed.checks)
    old = attrs.evolve(followed, checks=sides[0])
    edits = compare(old, attrs.evolve(followed, node=new, checks=sides[1]), hierarchy, added)
    if not merging.can_tell(followed.checks, edits, new.definition.name):
        return None
    return Judged(pair, new, edits)


def _judged(
    pair: Pair,
    new: Node,
    before: Follower,
    after: Follower,
    hierarchy: Hierarchy,
    added: Added,
) -> Judged:
    many = (before.rows(pair.old), after.rows(new))
    rows = None if many == (None, None) else (many[0] or frozenset()) & (many[1] or frozenset())
    old_side, new_side = (
        before.follow(pair.old, rows=rows),
        after.follow(new, rows=rows, like=pair.old),
    )
    if any(side is not None and side.overflowed for side in (old_side, new_side)):
        old_side = before.follow(pair.old, unrolls=False, rows=rows)
        new_side = after.follow(new, unrolls=False, rows=rows, like=pair.old)
    if old_side is None or new_side is None:
        return Judged(pair, new, (), "its file cannot be read")
    return Judged(
        pair, new, compare(old_side, new_side, hierarchy, added), _doubt(old_side, new_side)
    )


def _of_itself(judged: Judged, before: Follower, after: Follower, hierarchy: Hierarchy) -> Judged:
    """Leave out the edits that come from nothing but what sets the node up."""
    old, new = (
        before.follow(judged.pair.old, blind=True),
        after.follow(judged.new, like=judged.pair.old, blind=True),
    )
    if old is None or new is None:
        return judged
    return attrs.evolve(judged, edits=tuple(own_edits(judged.edits, old, new, hierarchy)))


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
