"""Fixture files that went to another place, and whether what names them went along."""

from __future__ import annotations

import fnmatch
import functools
import hashlib
import itertools
import posixpath

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene_plugins.oracles.contents import suffix_of
from benchhygiene_plugins.oracles.mentions import mentions
from benchhygiene_plugins.oracles.naming import naming, python_of_tests
from benchhygiene_plugins.oracles.territory import Territory

_MOST_PAIRS = (
    100  # modules that are gone, and that are new, of which it is asked whether one is the other
)


@attrs.frozen(eq=False, slots=False)
class Moves:
    """The files that a change takes from one place to another with the same bytes."""

    change: Change
    _folders: dict[tuple[str, str], bool] = attrs.field(factory=dict[tuple[str, str], bool])

    def target(self, path: str) -> str | None:
        """Return where a file that is gone stands now: of several places, the nearest."""
        data = _read(self.change.parent, path)
        if data is None or not data.strip():
            return None
        folder, name = posixpath.split(path)
        alike = self._by_digest.get(_digest(data), ())
        return max(
            alike,
            key=lambda one: (
                posixpath.basename(one) == name,
                posixpath.dirname(one) == folder,
                one,
            ),
            default=None,
        )

    def origins(self) -> dict[str, str]:
        """Return the files that are new, each with the one that is gone and had its bytes."""
        gone = (p for p in self.change.differing() if p not in self.change.candidate.entries)
        found = {path: self.target(path) for path in gone if not path.endswith(".py")}
        return {new: old for old, new in found.items() if new is not None}

    @functools.cached_property
    def _added(self) -> tuple[str, ...]:
        before = self.change.parent.entries
        return tuple(one for one in self.change.differing() if one not in before)

    @functools.cached_property
    def _by_digest(self) -> dict[bytes, list[str]]:
        found: dict[bytes, list[str]] = {}
        for path in self._added:
            data = _read(self.change.candidate, path)
            if data is not None:
                found.setdefault(_digest(data), []).append(path)
        return found

    def followed(self, path: str) -> str | None:
        """Return where a file has gone, where all that named it names its new place."""
        target = self.target(path)
        if target is None or suffix_of(target) != suffix_of(path):
            return None
        among = self.change.candidate.surveyed(Territory.of).is_among_tests(target)
        if not among and not naming(self.change.candidate, target):
            return None
        if self._goes_with_tests(path, target):
            return target
        return target if self._is_named_anew(path, target) else None

    def _goes_with_tests(self, path: str, target: str) -> bool:
        """Return whether a folder, or a test module whose name the path has, moved likewise."""
        for old, new in self._moved_modules:
            if path.replace(_stem(old), _stem(new)) == target and _stem(old) != _stem(new):
                return True
            before, after = posixpath.dirname(old), posixpath.dirname(new)
            prefix = f"{before}/" if before else ""
            if before == after or not path.startswith(prefix):
                continue
            if posixpath.join(after, path[len(prefix) :]) == target:
                return True
        return False

    @functools.cached_property
    def _moved_modules(self) -> tuple[tuple[str, str], ...]:
        """Return each Python file that is gone with one that is new and may be it."""
        gone = [
            one
            for one in self.change.differing()
            if one.endswith(".py") and one not in self.change.candidate.entries
        ][:_MOST_PAIRS]
        added = [one for one in self._added if one.endswith(".py")][:_MOST_PAIRS]
        pairs = ((old, new) for old in gone for new in added if _may_be(old, new))
        return tuple(itertools.islice(pairs, _MOST_PAIRS))

    def _is_named_anew(self, path: str, target: str) -> bool:
        if self._is_found_by_listing(path, target):
            return True
        key = (posixpath.dirname(path), posixpath.dirname(target))
        if posixpath.basename(path) != posixpath.basename(target):
            return self._is_named_there(path, target)
        if key not in self._folders:  # of a whole folder that moved, one file is asked about
            self._folders[key] = self._is_named_there(path, target)
        return self._folders[key]

    def _is_named_there(self, path: str, target: str) -> bool:
        named = naming(self.change.candidate, target)
        still = naming(self.change.candidate, path)
        return bool(named) and not set(still) - set(named) and any(map(self._differs, named))

    def _differs(self, path: str) -> bool:
        return path in self.change.differing()

    def _is_found_by_listing(self, path: str, target: str) -> bool:
        """Return whether a file keeps its folder, and the tests list the folder, not its files."""
        if posixpath.dirname(path) != posixpath.dirname(target):
            return False
        old, new = posixpath.basename(path), posixpath.basename(target)
        if old[:1].isalnum() != new[:1].isalnum():
            return False
        texts, patterns = self._looked_for
        fitting = [one for one in patterns if fnmatch.fnmatchcase(old, one)]
        all_fit = all(fnmatch.fnmatchcase(new, one) for one in fitting)
        return bool(fitting) and old not in texts and all_fit

    @functools.cached_property
    def _looked_for(self) -> tuple[frozenset[str], tuple[str, ...]]:
        """Return the texts in the candidate's tests, and the patterns of the folders they list."""
        tree = self.change.candidate
        found = [one for _, one in tree.derived_all(tree.surveyed(python_of_tests), mentions)]
        patterns = sorted({pattern for one in found for _, pattern in one.listed})
        return frozenset(text for one in found for text in one.texts), tuple(patterns)


def _may_be(old: str, new: str) -> bool:
    return posixpath.basename(old) == posixpath.basename(new) or (
        posixpath.dirname(old) == posixpath.dirname(new)
    )


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=20).digest()


def _stem(path: str) -> str:
    return posixpath.basename(path).removesuffix(".py")


def _read(tree: SourceTree, path: str) -> bytes | None:
    try:
        return tree.stored(path)
    except EvidenceUnavailable:
        return None
