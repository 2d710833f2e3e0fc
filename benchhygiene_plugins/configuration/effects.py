"""Whether an edit may have given a library an effect on the hooks of a session."""

from __future__ import annotations

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.index import words
from benchhygiene.inventory.python import parse
from benchhygiene.inventory.touched import rules_of
from benchhygiene_plugins.configuration.session.bodies import EFFECTS, UNSPELLED, bodies
from benchhygiene_plugins.configuration.side import Side

_WRITTEN = frozenset((b"argv", b"PYTEST_ADDOPTS"))
_WORDS = frozenset(word.encode() for word in (*EFFECTS, *UNSPELLED))


def is_apart(change: Change, before: Side, after: Side) -> bool:
    """Return whether what conftests call in other files is sure to change nothing for hooks.

    That is to be asked only where the hooks are the same on both sides. A library could change what
    hooks read in the tree: none may read anything there. It could change the environment, of which
    conditions are taken both ways where they are not known. It could change the command line: what
    a conftest imports may not, and no library file that differs may say a word for either.
    """
    return not (
        any(side.words.every("plugins") or side.plugins for side in (before, after))
        or any(_has_effects(change, path) for path in change.differing())
        or any(_is_bound(side, path) for side in (before, after) for path in side.conftests())
    )


def _has_effects(change: Change, path: str) -> bool:
    if not path.endswith(".py") or rules_of(change).is_test_file(path):
        return False
    return any(_says(tree, path, _WORDS) for tree in (change.parent, change.candidate))


def _says(tree: SourceTree, path: str, wanted: frozenset[bytes]) -> bool:
    try:
        return path in tree.entries and not wanted.isdisjoint(tree.derived(path, words))
    except EvidenceUnavailable:
        return True


def _is_bound(side: Side, path: str) -> bool:
    """Return whether a conftest's hooks read the tree, or what it imports writes arguments."""
    try:
        file = side.tree.derived(path, parse)
    except EvidenceUnavailable:
        return True
    if file.derived(bodies).reads_tree:
        return True
    names = {one for name in file.aliases.values() for one in (name, _without_last(name))}
    located = (side.modules.locate(name, path) for name in sorted(names) if name.strip("."))
    return any(one is not None and _says(side.tree, one, _WRITTEN) for one in located)


def _without_last(name: str) -> str:
    return name.rpartition(".")[0]
