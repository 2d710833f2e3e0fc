"""What is collected from the files that a change may touch, made once for all who ask."""

from __future__ import annotations

import posixpath
from collections.abc import Collection as Paths
from collections.abc import Container as Names
from collections.abc import Mapping, Sequence

import attrs

from benchhygiene.evidence.tree import Change, SourceTree
from benchhygiene.inventory.bodies import UNASKED, Edited, edited
from benchhygiene.inventory.canonical import name_free, shape
from benchhygiene.inventory.collection import Collection, CollectionRules, collect
from benchhygiene.inventory.importers import Importers, changed_names, users
from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.reach import reach, using

_MANY = 64  # differing test files of which it is asked who imports them


@attrs.frozen(eq=False)
class Touched:
    """The files a change may take tests from, and what is collected of them on both sides.

    Of a file in ``edited`` nothing differs but the bodies of tests, and tests that are new. Their
    nodes are all that is collected of it: every other node is the same on both sides, by its text
    and by all it can see. What cannot be seen there is known as if everything were collected.
    """

    paths: tuple[str, ...]
    parent: Collection
    candidate: Collection
    edited: Paths[str] = ()

    @classmethod
    def by(cls, change: Change) -> Touched:
        """Return what a change touches, by the parent's rules; made for ``change.surveyed``."""
        return _edited(change, rules_of(change)) or change.surveyed(cls.whole)

    @classmethod
    def whole(cls, change: Change) -> Touched:
        """Return what a change touches, and all nodes of it; made for ``change.surveyed``."""
        rules = rules_of(change)
        paths = reach(change, rules)
        old, new = (_collect(tree, rules, paths) for tree in _sides(change))
        return cls(paths, old, new)


def _edited(change: Change, rules: CollectionRules) -> Touched | None:
    """Return the nodes that are new or have other bodies, None where that may not be all."""
    found = edited(change, rules)
    if not found or _may_be_exchanged([one for several in found.values() for one in several]):
        return None
    if change.surveyed(shared):
        return None
    added = {
        path: frozenset(one.qualname.partition(".")[0] for one in several if one.old is None)
        for path, several in found.items()
    }
    if any(using(change, {path: names for path, names in added.items() if names})):
        return None
    paths = change.differing()
    only = {path: frozenset(one.qualname for one in several) for path, several in found.items()}
    old, new = (_collect(tree, rules, paths, only) for tree in _sides(change))
    for path, several in found.items():
        before = {one.qualname: one.old for one in several if one.old is not None}
        after = {one.qualname: one.new for one in several}
        if not (_shows(old, path, before) and _shows(new, path, after)):
            return None
    return Touched(paths, old, new, frozenset(found))


def _shows(collection: Collection, path: str, wanted: Mapping[str, FunctionNode]) -> bool:
    """Return whether these functions are what is collected of a file, one node each."""
    nodes = [node for node in collection.nodes if node.path == path]
    found = {node.qualname: node.definition for node in nodes}
    return len(nodes) == len(wanted) and all(found.get(one) is wanted[one] for one in wanted)


def _may_be_exchanged(several: Sequence[Edited]) -> bool:
    """Return whether a test has got the body that another one had.

    Whether a third test has the same body, too, must then be known.
    """
    before: dict[tuple[str, ...], list[Edited]] = {}
    for one in several if len(several) > 1 else ():
        if one.old is not None:
            before.setdefault(shape(one.old), []).append(one)
    return any(
        other is not one and other.old is not None and name_free(other.old) == name_free(one.new)
        for one in several
        for other in (before.get(shape(one.new), ()) if before else ())
    )


def shared(change: Change) -> frozenset[str]:
    """Return the differing files with tests that another file, which differs too, may use.

    Their tests are not only judged by themselves: one that is imported is a test there as well, and
    one that is called makes its caller. Made for ``change.surveyed``.
    """
    differing = frozenset(path for path in change.differing() if path.endswith(".py"))
    if len(differing) < 2:
        return frozenset()
    rules = rules_of(change)
    tests = [path for path in differing if rules.is_test_file(path)]
    if len(tests) > _MANY:
        return frozenset(tests)
    parent = change.parent
    ends = frozenset((*filter(parent.is_file, differing), *parent.surveyed(_conftests)))
    asked = parent.surveyed(Importers.of).near(parent, tests, ends)
    return frozenset(path for path in asked if _is_used(change, path, differing - {path}))


def _conftests(tree: SourceTree) -> tuple[str, ...]:
    return tuple(one for one in tree.files(".py") if posixpath.basename(one) == "conftest.py")


def _is_used(change: Change, path: str, others: frozenset[str]) -> bool:
    """Return whether one of these files, or a conftest, may use what differs in a file."""
    found = users(change.parent, {path: changed_names(change.parent, change.candidate, path)})
    return not others.isdisjoint(found) or any(
        posixpath.basename(one) == "conftest.py" for one in found
    )


def rules_of(change: Change) -> CollectionRules:
    """Return the rules of the parent, by which a change is judged."""
    return change.parent.surveyed(CollectionRules.of)


def collected(change: Change, paths: Paths[str]) -> tuple[Collection, Collection]:
    """Return what is collected of these files in the parent and in the candidate."""
    touched = change.surveyed(Touched.by)
    known, wanted = frozenset(touched.paths), frozenset(paths)
    both = touched.parent, touched.candidate
    if wanted != known:
        both = both[0].within(wanted), both[1].within(wanted)
    missing = sorted(wanted - known)
    if not missing:
        return both
    rules = rules_of(change)
    further = [_collect(tree, rules, missing) for tree in _sides(change)]
    return both[0].joined(further[0]), both[1].joined(further[1])


def changed_exports(change: Change, path: str) -> frozenset[str]:
    """Return the names of a differing module that may not mean what they did to other files.

    There are none where nothing but tests is new or differs: tests that are collected where they
    are defined are judged there. Those that another differing file may use count as any function.
    """
    touched = change.surveyed(Touched.by)
    if path in touched.edited:
        return frozenset()
    own = {
        node.qualname
        for side in (touched.parent, touched.candidate)
        for node in side.nodes
        if node.path == node.definition_path == path and not node.name.startswith(UNASKED)
    }
    apart = own if path not in change.surveyed(shared) else ()
    return changed_names(change.parent, change.candidate, path, apart)


def dependents(change: Change, paths: Paths[str]) -> tuple[str, ...]:
    """Return, sorted, the files that use what a change made of these, at once or through others."""
    names = {path: found for path in paths if (found := changed_exports(change, path))}
    return tuple(sorted(users(change.parent, names))) if names else ()


def _sides(change: Change) -> tuple[SourceTree, SourceTree]:
    return change.parent, change.candidate


def _collect(
    tree: SourceTree,
    rules: CollectionRules,
    paths: Paths[str],
    only: Mapping[str, Names[str]] | None = None,
) -> Collection:
    return collect(tree, rules, [path for path in paths if path in tree.entries], only)
