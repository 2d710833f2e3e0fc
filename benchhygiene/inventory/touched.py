"""What is collected from the files that a change may touch, made once for all who ask."""

from __future__ import annotations

from collections.abc import Collection as Paths

import attrs

from benchhygiene.evidence.tree import Change, SourceTree
from benchhygiene.inventory.collection import Collection, CollectionRules, collect
from benchhygiene.inventory.importers import changed_names, users
from benchhygiene.inventory.reach import reach


@attrs.frozen(eq=False)
class Touched:
    """The files a change may take tests from, and what is collected of them on both sides."""

    paths: tuple[str, ...]
    parent: Collection
    candidate: Collection

    @classmethod
    def by(cls, change: Change) -> Touched:
        """Return what a change touches, by the parent's rules; made for ``change.surveyed``."""
        rules = rules_of(change)
        paths = reach(change, rules)
        return cls(paths, *(_collect(tree, rules, paths) for tree in _sides(change)))


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

    Tests that are collected where they are defined are judged there.
    """
    touched = change.surveyed(Touched.by)
    own = {
        node.qualname
        for side in (touched.parent, touched.candidate)
        for node in side.nodes
        if node.path == node.definition_path == path
    }
    return changed_names(change.parent, change.candidate, path, own)


def dependents(change: Change, paths: Paths[str]) -> tuple[str, ...]:
    """Return, sorted, the files that use what a change made of these, at once or through others."""
    names = {path: found for path in paths if (found := changed_exports(change, path))}
    return tuple(sorted(users(change.parent, names))) if names else ()


def _sides(change: Change) -> tuple[SourceTree, SourceTree]:
    return change.parent, change.candidate


def _collect(tree: SourceTree, rules: CollectionRules, paths: Paths[str]) -> Collection:
    return collect(tree, rules, [path for path in paths if path in tree.entries])
