"""A violating and an innocent example of every rule, as evidence literals."""

from __future__ import annotations

from benchhygiene.testing import Case
from benchhygiene_plugins.nodes.cases import hidden, lost, rows, unseen

CASES: tuple[Case, ...] = (*lost.CASES, *hidden.CASES, *rows.CASES, *unseen.CASES)

__all__ = ["CASES"]
