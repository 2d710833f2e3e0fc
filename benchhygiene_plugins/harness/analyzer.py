"""The analyzer ``harness``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding
from benchhygiene.evidence import Change
from benchhygiene.inventory.touched import rules_of
from benchhygiene_plugins.harness.comparison import fresh
from benchhygiene_plugins.harness.differences import Differences
from benchhygiene_plugins.harness.findings import RULES
from benchhygiene_plugins.harness.placing import nodes_of
from benchhygiene_plugins.harness.reading import Reader
from benchhygiene_plugins.harness.reporting import report
from benchhygiene_plugins.harness.surface import Surface

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class Harness:
    """Report what a candidate does to the harness that judges it, and its parent did not."""

    name = "harness"
    rules = RULES
    consumes = Change

    def analyze(self, change: Change, /) -> Iterator[BaseFinding]:
        """Yield exits, forged reports, patched frameworks, shadowed modules, disabled asserts."""
        rules = rules_of(change)
        only = Differences(change).names
        old, new = (Reader.of(one, rules, only) for one in (change.parent, change.candidate))
        surface = Surface(change, old, new)
        found = [*fresh(surface.before(), surface.after()), *surface.planted()]
        nodes = nodes_of(change, [one.deed for one in found])
        for one in sorted(found, key=lambda one: (one.deed.place.path, one.deed.place.line or 0)):
            yield from report(one, nodes)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.harness.cases import CASES

        return CASES
