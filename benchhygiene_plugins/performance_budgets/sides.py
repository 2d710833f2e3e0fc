"""One tree, and what is looked up in it for every test."""

from __future__ import annotations

import attrs

from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.fixtures import Fixtures
from benchhygiene.inventory.modules import Modules


@attrs.frozen(eq=False)
class Side:
    """One tree, and what is looked up in it for every test."""

    tree: SourceTree
    modules: Modules
    fixtures: Fixtures

    @classmethod
    def of(cls, tree: SourceTree) -> Side:
        """Return the side of a tree; made for ``tree.surveyed``."""
        modules = Modules(tree, CollectionRules.of(tree).pythonpath)
        return cls(tree, modules, Fixtures(modules))
