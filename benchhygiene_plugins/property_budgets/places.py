"""Where something is written, and its text there."""

from __future__ import annotations

import ast
import re

import attrs

from benchhygiene.inventory.evaluator import Evaluator
from benchhygiene.inventory.python import FunctionNode

# ``inlined`` tells functions apart by their bodies; what code under test does is not asked here.
_DIGEST = re.compile(r"_[0-9a-f]{12}\b")
_LONGEST = 2_000  # characters of a text that a finding quotes


@attrs.frozen
class Place:
    """A path, a line and a column, both counted from 1, and the text that stands there."""

    path: str
    line: int = 1
    column: int = 1
    text: str = ""


def place_of(node: ast.expr | ast.stmt, path: str, evaluator: Evaluator) -> Place:
    """Return where a node stands; of what was made up, only the file is known."""
    if not getattr(node, "lineno", None) or not getattr(node, "end_lineno", None):
        return Place(path)
    source = evaluator.file(path)
    try:
        return Place(path, node.lineno, source.column(node), source.segment(node)[:_LONGEST])
    except IndexError:  # a node of another file's tree: a default, a constant seen through
        return Place(path)


def place_of_definition(node: FunctionNode, path: str, evaluator: Evaluator) -> Place:
    """Return where a function is defined, its text with its decorators up to its body."""
    source = evaluator.file(path)
    first = min([one.lineno for one in node.decorator_list] or [node.lineno])
    last = node.body[0].lineno - 1 if node.body else node.lineno
    try:
        lines = source.lines[first - 1 : max(last, node.lineno)]
    except IndexError:
        lines = ()
    text = b"\n".join(lines).decode(errors="replace").strip()
    return Place(path, node.lineno, 1, text[:_LONGEST])


def plain_text(text: str) -> str:
    """Return a text in which functions go by their names alone."""
    return _DIGEST.sub("", text)
