"""Which definitions a change has left alone, so that what they loop over need not be looked at."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import Change, SourceTree
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.python import FunctionNode, parse


@attrs.frozen(eq=False)
class Steadiness:
    """Compares source text; ``has_other_data`` says that constants of some file differ."""

    change: Change
    has_other_data: bool

    @classmethod
    def of(cls, change: Change) -> Steadiness:
        """Return what is steady in a change."""
        paths = (path for path in change.differing() if path.endswith(".py"))
        return cls(change, any(_data_differs(change, path) for path in paths))

    def is_steady(self, old: Node, new: Node) -> bool:
        """Return whether a test's text is the same, and what it may use is, too."""
        if self.has_other_data:
            return False
        before = self.change.parent.derived(old.definition_path, parse)
        after = self.change.candidate.derived(new.definition_path, parse)
        return before.definition_text(old.definition) == after.definition_text(new.definition)


def _data_differs(change: Change, path: str) -> bool:
    return [*_data(change.parent, path)] != [*_data(change.candidate, path)]


def _data(tree: SourceTree, path: str) -> Iterator[str]:
    """Yield the statements of a module that define no function, class or import."""
    if not tree.is_file(path):
        return
    try:
        file = tree.derived(path, parse)
    except EvidenceUnavailable:
        return
    for statement in file.body:
        if not isinstance(statement, FunctionNode | ast.ClassDef | ast.Import | ast.ImportFrom):
            yield file.segment(statement)
