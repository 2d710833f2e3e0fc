"""How far the nodes read off the sources are those a real collection finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.evidence import CollectedNodes, SourceTree
from benchhygiene.evidence.ledger import without_parameters
from benchhygiene.inventory.collection import Collection, CollectionRules, collect


@attrs.frozen
class Agreement:
    """Node ids on both sides and on one only; parameter counts and ids that differ.

    Files and directories whose collection failed or was skipped are left out on both sides.
    """

    both: int
    only_real: tuple[str, ...]
    only_static: tuple[str, ...]
    counts_known: int
    counts_unknown: int
    counts_differ: tuple[tuple[str, int, int], ...]
    ids_known: int
    ids_differ: tuple[str, ...]

    @property
    def rate(self) -> float:
        """Return the share of all node ids that both sides have."""
        total = self.both + len(self.only_real) + len(self.only_static)
        return self.both / total if total else 1.0


@attrs.frozen
class _LeftOut:
    """The files below any of some paths, or that are one of them."""

    paths: frozenset[str]

    def __contains__(self, path: str) -> bool:
        parts = path.split("/")
        return any("/".join(parts[:end]) in self.paths for end in range(1, len(parts) + 1))


def agreement(tree: SourceTree, said: CollectedNodes, found: Collection | None = None) -> Agreement:
    """Hold the inventory of a tree, taken here unless given, against a recorded collection."""
    left_out = _LeftOut(frozenset(one.partition("::")[0] for one in said.failed))
    found = found or collect(tree, CollectionRules.of(tree))
    real = _real(said, left_out)
    static = {n.node_id: n for n in found.nodes if n.path not in left_out}
    doctests = {one.node_id for one in found.doctests}
    both = real.keys() & static.keys()
    counts = {one: static[one].parameters.count for one in both}
    ids = {one: static[one].parameters.ids for one in both if static[one].parameters.axes}
    return Agreement(
        len(both),
        tuple(sorted(real.keys() - static.keys() - doctests)),
        tuple(sorted(static.keys() - real.keys())),
        sum(count is not None for count in counts.values()),
        sum(count is None for count in counts.values()),
        tuple(sorted(_count_differences(counts, real))),
        sum(one is not None for one in ids.values()),
        tuple(sorted(one for one, own in ids.items() if own is not None and own != real[one])),
    )


def _real(said: CollectedNodes, left_out: _LeftOut) -> dict[str, tuple[str, ...]]:
    """Return the texts in the brackets of each node, none where it has no brackets."""
    found: dict[str, tuple[str, ...]] = {}
    for node_id in said.node_ids:
        base = without_parameters(node_id)
        if base.partition("::")[0] not in left_out:
            inside = (node_id[len(base) + 1 : -1],) if node_id != base else ()
            found[base] = (*found.get(base, ()), *inside)
    return found


def _count_differences(
    counts: Mapping[str, int | None], real: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, int, int]]:
    for one, count in counts.items():
        if count is not None and count != len(real[one]):
            yield one, count, len(real[one])
