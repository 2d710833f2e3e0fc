"""What was found in one file of the product, before it is held against the parent."""

from __future__ import annotations

import ast

import attrs

from benchhygiene.inventory.python import PythonFile
from benchhygiene_plugins.subjects.units import Unit

_LONGEST = 2_000


@attrs.frozen
class Fact:
    """One thing that a unit does: the rule it is of, where it stands, and what it amounts to.

    ``detail`` is what two facts share that are the same but for where they stand.
    """

    rule: str
    path: str
    symbol: str
    line: int
    column: int
    text: str
    detail: str
    said: str

    @property
    def key(self) -> tuple[str, str]:
        """Return what makes it new where the parent has none like it."""
        return self.rule, self.detail


def fact(
    rule: str, unit: Unit, file: PythonFile, node: ast.expr | ast.stmt, detail: str, said: str
) -> Fact:
    """Return a fact about a part of a unit."""
    text = file.segment(node)[:_LONGEST]
    return Fact(rule, unit.path, unit.qualname, node.lineno, file.column(node), text, detail, said)
