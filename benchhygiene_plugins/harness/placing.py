"""Which nodes the functions of a candidate are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchhygiene.evidence import Change
from benchhygiene.inventory.touched import collected
from benchhygiene_plugins.harness.deeds import Deed


def nodes_of(change: Change, deeds: Sequence[Deed]) -> Mapping[int, tuple[str, ...]]:
    """Return the node ids of the functions that deeds stand in, by their identity."""
    owners = {id(one.owner) for one in deeds if one.owner is not None}
    if not owners:
        return {}
    paths = {one.place.path for one in deeds if one.owner is not None}
    found: dict[int, list[str]] = {}
    for node in collected(change, paths)[1].nodes:
        if id(node.definition) in owners:
            found.setdefault(id(node.definition), []).append(node.node_id)
    return {owner: tuple(sorted(set(ids))) for owner, ids in found.items()}
