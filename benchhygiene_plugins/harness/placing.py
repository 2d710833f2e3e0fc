"""Which nodes the functions of a candidate are."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence

from benchhygiene.evidence import Change
from benchhygiene.inventory.touched import collected, dependents
from benchhygiene_plugins.harness.deeds import Deed


def nodes_of(change: Change, deeds: Sequence[Deed]) -> Mapping[int, tuple[str, ...]]:
    """Return the node ids of the functions that deeds stand in, by their identity."""
    owners = {id(one.owner) for one in deeds if one.owner is not None}
    if not owners:
        return {}
    paths = {one.place.path for one in deeds if one.owner is not None}
    found = _of_files(change, paths, owners)
    missing = {
        one.place.path
        for one in deeds
        if one.owner is not None and id(one.owner) not in found and _is_test(one.owner.name)
    }
    if missing:  # a base class: its tests are those of the classes that inherit from it
        found.update(_of_files(change, dependents(change, missing), owners))
    return found


def _is_test(name: str) -> bool:
    return name.startswith("test")


def _of_files(
    change: Change, paths: Collection[str], owners: Container[int]
) -> dict[int, tuple[str, ...]]:
    found: dict[int, set[str]] = {}
    for node in collected(change, paths)[1].nodes:
        if id(node.definition) in owners:
            found.setdefault(id(node.definition), set()).add(node.node_id)
    return {owner: tuple(sorted(ids)) for owner, ids in found.items()}
