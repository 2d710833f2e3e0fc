"""A violating and an innocent example of every rule, as evidence literals."""

from __future__ import annotations

from benchhygiene.testing import Case
from benchhygiene_plugins.assertions.cases import facts, flow

CASES: tuple[Case, ...] = (*facts.CASES, *flow.CASES)

__all__ = ["CASES"]
