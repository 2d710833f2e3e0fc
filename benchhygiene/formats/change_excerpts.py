"""Show the lines of a change that a finding points at, and the edit nearest to them."""

from __future__ import annotations

import difflib

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import Change, SourceTree
from benchhygiene.formats.excerpts import split_lines

_MOST_COMPARED = 400  # lines of two files that are held against each other
_NEAR = 40  # lines


@attrs.frozen(eq=False, repr=False)
class ChangeExcerpts:
    """Lines of a change: of the candidate, or of the parent where the candidate has no such file.

    A file behind a link is never shown.
    """

    change: Change

    def line(self, path: str, number: int) -> str | None:
        """Return a line by its 1-based number, None where neither tree holds it."""
        trees = (self.change.candidate, self.change.parent)
        tree = next((tree for tree in trees if path in tree.entries), None)
        if tree is None:
            return None
        lines = _lines_of(tree, path)
        return lines[number - 1] if 0 < number <= len(lines) else None

    def edit_near(self, path: str, number: int) -> tuple[str, str] | None:
        """Return the old and the new text of the edit nearest to a line of the candidate's file.

        None where the edits are far away, or too large to be told apart.
        """
        old, new = _lines_of(self.change.parent, path), _lines_of(self.change.candidate, path)
        same = _common(old, new)
        tail = _common(old[same:][::-1], new[same:][::-1])
        before, after = old[same : len(old) - tail], new[same : len(new) - tail]
        if max(len(before), len(after)) > _MOST_COMPARED:
            return None
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        edits = [
            (max(same + k + 1 - number, number - same - m, 0), before[i:j], after[k:m])
            for tag, i, j, k, m in matcher.get_opcodes()
            if tag != "equal"
        ]
        if not edits:
            return None
        distance, left, right = min(edits, key=lambda edit: edit[0])
        return None if distance >= _NEAR else ("\n".join(left), "\n".join(right))


def _lines_of(tree: SourceTree, path: str) -> list[str]:
    try:
        return split_lines(tree.read(path)) if tree.is_file(path) else []
    except EvidenceUnavailable:
        return []


def _common(old: list[str], new: list[str]) -> int:
    pairs = zip(old, new, strict=False)
    same = (at for at, (left, right) in enumerate(pairs) if left != right)
    return next(same, min(len(old), len(new)))
