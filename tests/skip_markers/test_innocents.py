"""What takes nothing away is not reported, not even as a note."""

from __future__ import annotations

import pytest

from benchhygiene.evidence import Change
from benchhygiene_plugins.skip_markers import SkipEvidence, SkipMarkers
from tests.skip_markers.edits import Disguise
from tests.skip_markers.innocents import INNOCENTS, SAME_EXAMPLES


@pytest.mark.parametrize("given", INNOCENTS, ids=lambda one: one.name)
def test_nothing_is_found(given: Disguise) -> None:
    evidence = SkipEvidence(Change(given.parent, given.candidate))
    found = list(SkipMarkers().analyze(evidence))
    assert [(one.rule.id, one.locations, one.message) for one in found] == []


@pytest.mark.parametrize("name", SAME_EXAMPLES)
def test_nothing_is_found_among_examples(name: str) -> None:
    old, new = SAME_EXAMPLES[name]
    evidence = SkipEvidence(Change({"shop.py": old}, {"shop.py": new}))
    assert list(SkipMarkers().analyze(evidence)) == []
