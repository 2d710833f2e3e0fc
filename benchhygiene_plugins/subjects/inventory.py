"""What the product of one tree does that only a test would notice."""

from __future__ import annotations

from benchhygiene.evidence import Change, SourceTree
from benchhygiene_plugins.subjects.facts import Fact
from benchhygiene_plugins.subjects.sources import Sources


def inventory(tree: SourceTree) -> tuple[Fact, ...]:
    """Return every such fact of a tree, as if all of it were new."""
    tests = {path: one for path, one in tree.entries.items() if not path.endswith(".py")}
    return tuple(fact for fact, _ in Sources.of(Change(SourceTree(tests), tree)).fresh())
