"""Whether a pack can be a witness: the agent must not have written it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from benchhygiene.core.trust import real_path
from benchhygiene.errors import InputError
from benchhygiene.evidence.pack import WitnessPack
from benchhygiene.evidence.tree import Change, SourceTree


def require_foreign(pack: WitnessPack, change: Change) -> None:
    """Raise InputError for a pack that is part of the candidate's own tree."""
    for place in _places(pack, change.candidate):
        if _is_part(place, change.candidate):
            raise InputError(
                f"pack {pack.directory}: is part of the candidate, which could have written it"
            )


def notes(pack: WitnessPack, change: Change | None) -> Iterator[str]:
    """Yield what a reader should know of the pack that a report was made with."""
    yield from pack.notes
    if change is not None and any(_places(pack, change.candidate)):
        yield "lies in the directory under judgement; keep it where no agent can write"


def _is_part(place: str, tree: SourceTree) -> bool:
    """Return whether the tree holds it, or files in it, or passed over the directory it is in."""
    prefix = "" if place == os.curdir else f"{place}/"
    passed_over = any(prefix.startswith(f"{path}/") for path in tree.left_out)
    inside = (path.startswith(prefix) for path in tree.entries)
    return passed_over or place in tree.entries or any(inside)


def _places(pack: WitnessPack, tree: SourceTree) -> Iterator[str]:
    """Yield where the pack lies below the directories that a tree was taken from."""
    if pack.directory is None:
        return
    for root in tree.roots:
        place = os.path.relpath(real_path(pack.directory), real_path(root))
        if place.split(os.sep)[0] != os.pardir:
            yield place.replace(os.sep, "/")
