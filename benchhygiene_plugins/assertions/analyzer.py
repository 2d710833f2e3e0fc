"""The analyzer ``assertions``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding
from benchhygiene.evidence.tree import Change
from benchhygiene_plugins.assertions.findings import RULES
from benchhygiene_plugins.assertions.judging import judge
from benchhygiene_plugins.assertions.reporting import findings

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class Assertions:
    """Report what a patch took from the checks that the parent's tests make."""

    name = "assertions"
    rules = RULES
    consumes = Change

    def analyze(self, change: Change, /) -> Iterator[BaseFinding]:
        """Yield every check that is worth less than it was, and every one nobody can tell of."""
        yield from findings(judge(change), frozenset(change.differing()))

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.assertions.cases import CASES

        return CASES
