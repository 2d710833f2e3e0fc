"""Hold what a real collection found against what the sources say."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene.evidence import CollectedChange, CollectedNodes, CollectionEnd
from benchhygiene.evidence.ledger import without_parameters
from benchhygiene.inventory.collection import Collection, Node
from benchhygiene.inventory.pairing import Pairing


@attrs.frozen(eq=False)
class ReallyLost:
    """An id the parent's collection has and the candidate's has not.

    ``node`` is the test where the sources show one.
    """

    node_id: str
    node: Node | None


@attrs.frozen(eq=False)
class Disagreement:
    """A file whose tests the sources and the collection do not agree on.

    ``unexpected`` were collected although the sources do not show them, ``missing`` the reverse.
    """

    path: str
    is_parents: bool
    unexpected: tuple[str, ...]
    missing: tuple[str, ...]


def really_lost(pairing: Pairing, collected: CollectedChange) -> Iterator[ReallyLost]:
    """Yield what only the collections show: ids that are gone while their sources look alike."""
    if not (_is_told(collected.parent) and _is_told(collected.candidate)):
        return
    before, after = _ids(collected.parent), _ids(collected.candidate)
    nodes = pairing.parent.by_id()
    kept = {pair.old.node_id for pair in pairing.pairs if pair.new is not None}
    broken = _files(collected.candidate)
    for node_id in sorted(before - after):
        known = nodes.get(node_id)
        if node_id.partition("::")[0] not in broken and (known is None or node_id in kept):
            yield ReallyLost(node_id, known)


def unanswered(collected: CollectedChange) -> Iterator[tuple[str, str]]:
    """Yield the files, or nothing for the whole tree, that the candidate's collection missed."""
    if not _is_told(collected.candidate):
        yield "", f"the candidate's collection {collected.candidate.end.value}"
        return
    for path in sorted(_files(collected.candidate) - _files(collected.parent)):
        yield path, "the candidate's collection failed here, and the parent's did not"


def disagreements(pairing: Pairing, collected: CollectedChange) -> Iterator[Disagreement]:
    """Yield the files on which sources and collections do not agree."""
    yield from _of_side(pairing.parent, collected.parent, is_parents=True)
    yield from _of_side(pairing.candidate, collected.candidate, is_parents=False)


def _of_side(
    sources: Collection, said: CollectedNodes, *, is_parents: bool
) -> Iterator[Disagreement]:
    if not _is_told(said):
        return
    shown: dict[str, set[str]] = {}
    for node in sources.nodes:
        shown.setdefault(node.path, set()).add(node.node_id)
    found: dict[str, set[str]] = {}
    for node_id in _ids(said):
        found.setdefault(node_id.partition("::")[0], set()).add(node_id)
    for path in sorted(shown.keys() - _files(said)):
        real = found.get(path, set())
        if real != shown[path]:
            unexpected, missing = sorted(real - shown[path]), sorted(shown[path] - real)
            yield Disagreement(path, is_parents, tuple(unexpected), tuple(missing))


def _is_told(said: CollectedNodes) -> bool:
    return said.end is CollectionEnd.REPORTED and bool(said.node_ids)


def _ids(said: CollectedNodes) -> set[str]:
    return {without_parameters(one) for one in said.node_ids}


def _files(said: CollectedNodes) -> set[str]:
    return {one.partition("::")[0] for one in said.failed}
