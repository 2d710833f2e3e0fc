"""Files whose tests are not all known, as far as a change may have touched those that are not."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene.evidence.tree import Change
from benchhygiene.inventory.collection import Collection
from benchhygiene.inventory.pairing import Pairing
from benchhygiene_plugins.assertions.modules import Project, is_test_side
from benchhygiene_plugins.assertions.surroundings import Surroundings


@attrs.frozen
class Unseen:
    """A file whose tests are not all known, and why."""

    path: str
    reason: str


def doubts(
    change: Change, pairing: Pairing, parent: Project, candidate: Project
) -> Iterator[Unseen]:
    """Yield each file and reason once.

    That there may be more tests than are known, on both sides and for the same reason, is passed
    over where the files of the tests read the same beside the tests that are known. A test that is
    not known then reads the same as well, with all it is made of: it is either among what is the
    same, or made of a known test, which is compared by itself.
    """
    found = {
        Unseen(one.path, one.reason): None
        for one in (*pairing.parent.unseen, *pairing.candidate.unseen)
        if not one.is_broken
    }
    known = _additions(pairing.parent) & _additions(pairing.candidate)
    if known and _is_same_around(change, pairing, parent, candidate):
        found = {one: None for one in found if one not in known}
    yield from found


def _additions(collection: Collection) -> set[Unseen]:
    return {Unseen(one.path, one.reason) for one in collection.unseen if one.is_addition}


def _is_same_around(change: Change, pairing: Pairing, parent: Project, candidate: Project) -> bool:
    """Return whether no file of the tests differs beside its known tests."""
    before = Surroundings.of(parent, pairing.parent.nodes)
    after = Surroundings.of(candidate, pairing.candidate.nodes)
    return all(
        path.endswith(".py") and before.around(path) == after.around(path)
        for path in change.differing()
        if is_test_side(path)
    )
