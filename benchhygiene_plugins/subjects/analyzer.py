"""The analyzer ``subjects``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Change
from benchhygiene_plugins.subjects.findings import (
    MOCK_UNSEEN,
    RULES,
    SOURCE_UNSEEN,
    aware,
    replaced,
    unseen,
)
from benchhygiene_plugins.subjects.replacements import Replacements
from benchhygiene_plugins.subjects.sources import Sources

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class Subjects:
    """Report tests that no longer reach the code under test, and code that knows its tests."""

    name = "subjects"
    rules = RULES
    consumes = Change

    def analyze(self, change: Change, /) -> Iterator[BaseFinding]:
        """Yield what the candidate's tests replace, and what its product does for tests alone."""
        tests = Replacements.of(change)
        for replacement in tests.fresh():
            yield replaced(replacement)
        for path, reason in tests.unreadable():
            yield unseen(MOCK_UNSEEN, path, reason)
        sources = Sources.of(change)
        for fact, old_text in sources.fresh():
            yield aware(fact, old_text)
        for path, reason in sources.unreadable():
            yield unseen(SOURCE_UNSEEN, path, reason)

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.subjects.cases import CASES

        return CASES
