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
    """Where a pack's files stand between parent and candidate, each by its path in the tree.

    ``behind`` are those that are not the parent's any more, ``followed`` those that the candidate
    changes and that the pack has as the candidate has them, ``kept`` those it has otherwise.
    """

    behind: tuple[str, ...] = ()
    followed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def compare(pack: WitnessPack, change: Change) -> Comparison:
    """Return how the bytes of a pack's tests and fixtures compare with both trees."""
    differing = frozenset(change.differing())
    behind: list[str] = []
    followed: list[str] = []
    kept: list[str] = []
    for place, path in pack.laid_out.items():
        own = _bytes(pack.files, path)
        if own != _bytes(change.parent, place):
            behind.append(place)
        if place in differing:
            (followed if own == _bytes(change.candidate, place) else kept).append(place)
    return Comparison(tuple(behind), tuple(followed), tuple(kept))


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


def _bytes(tree: SourceTree, path: str) -> bytes | None:
    """Return a file's bytes, None where there is none or they cannot be had."""
    try:
        return tree.stored(path) if tree.is_file(path) else None
    except EvidenceUnavailable:
        return None
