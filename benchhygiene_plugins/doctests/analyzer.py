"""The analyzer ``doctests``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Change
from benchhygiene.inventory.touched import rules_of
from benchhygiene_plugins.doctests import findings
from benchhygiene_plugins.doctests.comparison import altered
from benchhygiene_plugins.doctests.examples import examples, is_broken
from benchhygiene_plugins.doctests.running import is_run

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class Doctests:
    """Report which examples of docstrings and texts are gone, or let more pass."""

    name = "doctests"
    rules = findings.RULES
    consumes = Change

    def analyze(self, change: Change, /) -> Iterator[BaseFinding]:
        """Yield what became of each example; one that nothing runs is only a warning."""
        rules = rules_of(change)
        for found in altered(change):
            yield findings.about(found, is_run=is_run(change.parent, rules, found.old.path))
        for path in change.differing():
            is_unread = path in change.candidate.entries and is_broken(change.candidate, path)
            if is_unread and examples(change.parent, path):
                yield findings.unseen(path)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.doctests.cases import CASES

        return CASES
