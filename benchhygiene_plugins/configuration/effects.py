"""Whether an edit may have given a library an effect on the hooks of a session."""

from __future__ import annotations

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.index import words
from benchhygiene.inventory.python import parse
from benchhygiene.inventory.touched import rules_of
from benchhygiene_plugins.configuration.session.bodies import EFFECTS, UNSPELLED, bodies
from benchhygiene_plugins.configuration.side import Side

_WORDS = frozenset(word.encode() for word in (*EFFECTS, *UNSPELLED))


def is_apart(change: Change, before: Side, after: Side) -> bool:
    """Return whether what conftests call in other files is sure to change nothing for hooks.

    That is to be asked only where the hooks are the same on both sides. A library could change what
    hooks read in the tree: none may read anything there. It could change the command line or the
    environment: what does so on both sides alike takes nothing from the one that it does not take
    from the other, and no library file that differs may say a word for it.
    """
    rules = rules_of(change)
    library = (one for one in change.differing() if not rules.is_test_file(one))
    return not (
        any(side.words.every("plugins") or side.plugins for side in (before, after))
        or any(_has_effects(side.tree, path) for path in library for side in (before, after))
        or any(
            _reads_tree(side.tree, path) for side in (before, after) for path in side.conftests()
        )
    )


def _has_effects(tree: SourceTree, path: str) -> bool:
    if not path.endswith(".py") or path not in tree.entries:
        return False
    try:
        return not _WORDS.isdisjoint(tree.derived(path, words))
    except EvidenceUnavailable:
        return True


def _reads_tree(tree: SourceTree, path: str) -> bool:
    try:
        return tree.derived(path, parse).derived(bodies).reads_tree
    except EvidenceUnavailable:
        return True
