"""Whether a pack is a witness of its own: not outdated, and not the candidate once more."""

from __future__ import annotations

import datetime
import posixpath
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, Commits, SourceTree, WitnessPack

_SOURCE = (".c", ".cc", ".cpp", ".go", ".h", ".java", ".js", ".py", ".pyi", ".pyx", ".rs", ".ts")
_TEST_FOLDERS = frozenset(("test", "tests", "testing"))


@attrs.frozen
class Comparison:
    """The pack's files that the candidate changes, by their paths in the tree.

    ``followed`` are those that the pack has as the candidate has them, ``kept`` all others.
    """

    followed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def compare(pack: WitnessPack, change: Change) -> Comparison:
    """Return how a pack's tests and fixtures compare with what the candidate makes of them."""
    differing = frozenset(change.differing())
    touched = {place: path for place, path in pack.laid_out.items() if place in differing}
    followed = [
        place for place, path in touched.items() if _is_same(pack, path, change.candidate, place)
    ]
    kept = [place for place in touched if place not in followed]
    return Comparison(tuple(followed), tuple(kept))


def behind(pack: WitnessPack, parent: SourceTree) -> tuple[str, ...]:
    """Return the pack's files, by their paths in the tree, that are not the parent's any more."""
    return tuple(
        place for place, path in pack.laid_out.items() if not _is_same(pack, path, parent, place)
    )


def age(pack: WitnessPack, day: datetime.date) -> int | None:
    """Return how many days the pack's commit is old, None where nobody knows."""
    if pack.origin is None or pack.origin.committed is None:
        return None
    return (day - pack.origin.committed.date()).days


def is_before_parent(pack: WitnessPack, commits: Commits) -> bool:
    """Return whether the pack was built from an older commit than the parent."""
    origin, parent = pack.origin, commits.parent
    if origin is None or origin.committed is None or parent is None:
        return False
    return origin.commit != parent.identity and origin.committed < parent.committed


def is_of_candidate(pack: WitnessPack, commits: Commits) -> bool:
    """Return whether the pack was built from the very commit that it is to judge."""
    candidate = commits.candidate
    return (
        pack.origin is not None
        and candidate is not None
        and pack.origin.commit == candidate.identity
        and (commits.parent is None or commits.parent.identity != candidate.identity)
    )


def sources_of(paths: Iterable[str]) -> Iterator[str]:
    """Yield the files among these that are code, and not a test by place or name."""
    for path in paths:
        name = posixpath.basename(path)
        is_test = name.startswith(("test_", "conftest.")) or name.endswith("_test.py")
        if path.endswith(_SOURCE) and not is_test and not _TEST_FOLDERS & set(path.split("/")):
            yield path


def _is_same(pack: WitnessPack, path: str, tree: SourceTree, place: str) -> bool:
    """Return whether a tree has a file of the pack; equal names of bytes are not read."""
    own, other = pack.files.entries[path], tree.entries.get(place)
    if other is None:
        return False
    scheme = own.identity.partition(":")[0]
    if scheme and scheme == other.identity.partition(":")[0]:
        return own.identity == other.identity and own.kind is other.kind
    data = _bytes(pack.files, path)
    return data is not None and data == _bytes(tree, place)


def _bytes(tree: SourceTree, path: str) -> bytes | None:
    """Return a file's bytes, None where there is none or they cannot be had."""
    try:
        return tree.stored(path) if tree.is_file(path) else None
    except EvidenceUnavailable:
        return None
