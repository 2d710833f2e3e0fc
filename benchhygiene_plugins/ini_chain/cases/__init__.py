"""A violating and an innocent example of every rule, as evidence literals."""

from __future__ import annotations

from benchhygiene.testing import Case
from benchhygiene_plugins.ini_chain.cases import aborts, gates

CASES: tuple[Case, ...] = (*gates.CASES, *aborts.CASES)

__all__ = ["CASES"]
