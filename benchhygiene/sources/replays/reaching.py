"""Which changed lines of a candidate's source no test of the pack executed."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Mapping

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.replay import Unwitnessed
from benchhygiene.evidence.tree import Change, SourceTree


def unwitnessed(
    change: Change, lines: Mapping[str, tuple[int, ...]], tested: frozenset[str]
) -> tuple[Unwitnessed, ...]:
    """Return the changed statements of each source file that are not among the executed lines.

    Only files of the candidate that took part (``tested``) count. A file that Python refuses has
    no statements.
    """
    found: list[Unwitnessed] = []
    for path in change.differing():
        if path.endswith(".py") and path in tested and change.candidate.is_file(path):
            missed = sorted(_changed_statements(change, path) - set(lines.get(path, ())))
            if missed:
                found.append(Unwitnessed(path, missed))
    return tuple(found)


def _changed_statements(change: Change, path: str) -> set[int]:
    old, new = _text(change.parent, path), _text(change.candidate, path)
    try:
        tree = ast.parse(new)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    changed = set(_changed(old.splitlines(), new.splitlines()))
    return changed & set(_statements(tree))


def _text(tree: SourceTree, path: str) -> str:
    try:
        return tree.stored(path).decode("utf-8", errors="replace") if path in tree.entries else ""
    except EvidenceUnavailable:
        return ""


def _changed(old: list[str], new: list[str]) -> Iterator[int]:
    """Yield the numbers of the new lines that are not the old ones."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, _, _, start, end in matcher.get_opcodes():
        if kind != "equal":
            yield from range(start + 1, end + 1)


def _statements(tree: ast.Module) -> Iterator[int]:
    """Yield the first line of everything that coverage.py counts as executable."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not _is_silent(node):
            yield node.lineno


def _is_silent(node: ast.stmt) -> bool:
    if isinstance(node, ast.Global | ast.Nonlocal):
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
