"""The analyzer ``pipelines``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Change
from benchhygiene_plugins.pipelines import findings
from benchhygiene_plugins.pipelines.comparison import Loss, losses

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class Pipelines:
    """Report which test commands of the parent's pipelines no longer fail where tests fail."""

    name = "pipelines"
    rules = findings.RULES
    consumes = Change

    def analyze(self, change: Change, /) -> Iterator[BaseFinding]:
        """Yield what workflows, Makefiles, tox, nox, hooks and scripts no longer hold tests to."""
        for found in losses(change):
            yield findings.lost(found) if isinstance(found, Loss) else findings.unread(found)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.pipelines.cases import CASES

        return CASES
