"""Every deed of a tree, the honest-looking ones included."""

from __future__ import annotations

from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene_plugins.harness.deeds import Deed
from benchhygiene_plugins.harness.reading import deeds_of
from benchhygiene_plugins.harness.settings import deeds


def inventory(tree: SourceTree, rules: CollectionRules | None = None) -> tuple[Deed, ...]:
    """Return what the files of a tree do to the harness, by path.

    ``rules`` are the tree's own by default.
    """
    own = rules or CollectionRules.of(tree)
    settings = (one for path in tree.files() for one in deeds(tree, path))
    return tuple(sorted((*deeds_of(tree, own), *settings), key=lambda one: one.place.path))
