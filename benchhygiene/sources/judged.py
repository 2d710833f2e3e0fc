"""The evidence of one score: the pinned pack, both trees, and the replay of its tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable, InputError
from benchhygiene.evidence.as_of import AsOf
from benchhygiene.evidence.commits import Commits
from benchhygiene.evidence.entries import TreeEntry, entry
from benchhygiene.evidence.pack import WitnessPack
from benchhygiene.evidence.replay import Replay
from benchhygiene.evidence.tree import Change, SourceTree

_CONTRACTS = "contracts/"


@attrs.frozen(kw_only=True)
class Judged:
    """All that a score is made of; the same evidence gives the same score, here and elsewhere."""

    pack: WitnessPack
    as_of: AsOf
    change: Change
    commits: Commits | None = None
    replay: Replay | None = None

    @property
    def pieces(self) -> tuple[object, ...]:
        """Return the pieces that an orchestrator runs over."""
        every = (self.change, self.pack, self.as_of, self.commits, self.replay)
        return tuple(piece for piece in every if piece is not None)


def against_pack(pack: WitnessPack, candidate: SourceTree) -> Change:
    """Return what the candidate made of the pack's own files, where no parent is known.

    The parent is then the candidate with the pack's tests, fixtures and contracts in their places:
    what else the candidate has is the same on both sides.
    """
    return Change(candidate.overlaid(_placed(pack)), candidate)


def with_contracts(pack: WitnessPack, change: Change) -> Change:
    """Return the change with the pack's contracts in the parent, where the parent has them."""
    placed = {
        path: found
        for path, found in _placed(pack).items()
        if path.startswith(_CONTRACTS) and path in change.parent.entries
    }
    return Change(change.parent.overlaid(placed), change.candidate) if placed else change


def _placed(pack: WitnessPack) -> dict[str, TreeEntry | None]:
    found: dict[str, TreeEntry | None] = {}
    for target, source in (*pack.laid_out.items(), *_contracts(pack)):
        try:
            held = pack.files.entries[source]
            found[target] = entry(pack.files.stored(source), is_executable=held.is_executable)
        except EvidenceUnavailable as error:
            raise InputError(f"pack: {error}") from error
    return found


def _contracts(pack: WitnessPack) -> Iterator[tuple[str, str]]:
    return ((path, path) for path in pack.files.files() if path.startswith(_CONTRACTS))


def require_foreign_environment(*trees: SourceTree) -> None:
    """Raise InputError where benchhygiene itself is installed in what it judges."""
    own = os.path.realpath(sys.prefix)
    for root in (os.path.realpath(root) for tree in trees for root in tree.roots):
        if own == root or own.startswith(f"{root}/"):
            raise InputError(
                f"{root}: benchhygiene runs from an environment inside the tree under judgement, "
                "which could have written it; install it elsewhere"
            )
