"""The examples of a tree."""

from __future__ import annotations

from benchhygiene.evidence import SourceTree
from benchhygiene_plugins.doctests.examples import TEXTS, Example, examples


def inventory(tree: SourceTree) -> tuple[Example, ...]:
    """Return every example of a tree's docstrings and texts, by path and line."""
    return tuple(one for path in tree.files(".py", *TEXTS) for one in examples(tree, path))
