"""Every disguise is seen, with its rule and exactly its tests."""

from __future__ import annotations

import pytest

from benchhygiene.evidence import Change
from benchhygiene_plugins.skip_markers import ExampleSkipped, SkipEvidence, SkipMarkers
from tests.skip_markers.call_disguises import CALLS, CALLS_LATE, CIRCLES, IMPORTS
from tests.skip_markers.edits import SHOP, Disguise
from tests.skip_markers.marker_disguises import LATE, MARKERS
from tests.skip_markers.near_misses import MISSED
from tests.skip_markers.xfail_disguises import EXAMPLES, XFAILS

DISGUISES = (*MARKERS, *LATE, *CALLS, *CALLS_LATE, *CIRCLES, *IMPORTS, *XFAILS, *MISSED)


@pytest.mark.parametrize("given", DISGUISES, ids=lambda one: f"{one.rule}-{one.name}")
def test_a_disguise_is_seen(given: Disguise) -> None:
    evidence = SkipEvidence(Change(given.parent, given.candidate))
    found = [one for one in SkipMarkers().analyze(evidence) if one.locations[0].node_id]
    assert {one.rule.id for one in found} == {given.rule}
    assert {one.locations[0].node_id for one in found} == given.node_ids
    assert all(one.severity.value == "error" for one in found)


@pytest.mark.parametrize(
    ("source", "names"), [one[1:] for one in EXAMPLES], ids=[one[0] for one in EXAMPLES]
)
def test_a_skipped_example_is_seen(source: str, names: frozenset[str]) -> None:
    evidence = SkipEvidence(Change({"shop.py": SHOP}, {"shop.py": source}))
    found = list(SkipMarkers().analyze(evidence))
    assert all(isinstance(one, ExampleSkipped) for one in found)
    assert {one.locations[0].node_id for one in found} == {f"shop.py::{name}" for name in names}
