"""Which files' properties a change can have touched."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.importers import importing
from benchhygiene.inventory.index import words
from benchhygiene.inventory.touched import changed_exports, dependents
from benchhygiene_plugins.property_budgets.profiles import options

_HYPOTHESIS = b"hypothesis"


@attrs.frozen(eq=False)
class Reach:
    """Finds the test files whose properties a change may have touched, and the conftests."""

    change: Change
    rules: CollectionRules

    def tests(self) -> tuple[str, ...]:
        """Return, sorted, the test files whose properties are compared."""
        differing = self._differing()
        if not differing and not self.has_other_options():
            return ()
        used = self._dependents(differing)
        found = {one for one in (*differing, *used) if self.rules.is_test_file(one)}
        for one in (*differing, *used):
            if posixpath.basename(one) in ("conftest.py", "__init__.py") and self._may_mean(one):
                found.update(self._below(posixpath.dirname(one)))
        if self.has_other_options():
            found.update(self._below(""))
        return tuple(sorted(one for one in found if self._speaks(one)))

    def modules(self) -> tuple[str, ...]:
        """Return, sorted, the Python files whose profiles are compared."""
        differing = self._differing()
        return tuple(sorted({*differing, *self._dependents(differing)}))

    def has_other_options(self) -> bool:
        """Return whether the config file gives hypothesis other options than it did."""
        old, new = (
            {name: one.value for name, one in options(tree)}
            for tree in (self.change.parent, self.change.candidate)
        )
        return old != new

    def _differing(self) -> list[str]:
        return [path for path in self.change.differing() if path.endswith(".py")]

    def _dependents(self, differing: Iterable[str]) -> frozenset[str]:
        """Return the files that use what differs and is no test."""
        paths = [one for one in differing if changed_exports(self.change, one)]
        return frozenset(dependents(self.change, paths)) if paths else frozenset()

    def _may_mean(self, path: str) -> bool:
        """Return whether a conftest may speak of profiles, itself or through what it imports."""
        sides = (self.change.parent, self.change.candidate)
        return any(_says(tree, path, (b"load_profile", b"register_profile")) for tree in sides) or (
            any(
                _says(tree, one, (b"load_profile", b"register_profile"))
                for tree in sides
                for one in self._differing()
            )
        )

    def _below(self, folder: str) -> Iterator[str]:
        prefix = f"{folder}/" if folder else ""
        for path in self.change.candidate.files(".py"):
            if path.startswith(prefix) and self.rules.is_test_file(path):
                yield path

    def _speaks(self, path: str) -> bool:
        """Return whether a test file may hold properties: it, or what it imports, names them."""
        return any(
            _says(tree, path, (_HYPOTHESIS,)) or path in self._users(tree)
            for tree in (self.change.parent, self.change.candidate)
        )

    def _users(self, tree: SourceTree) -> frozenset[str]:
        return tree.surveyed(_users)


def _users(tree: SourceTree) -> frozenset[str]:
    """Return the files that import, through others, something that speaks of hypothesis."""
    speaking = [
        path for path, found in tree.derived_all(tree.files(".py"), words) if _HYPOTHESIS in found
    ]
    return importing(tree, speaking) | frozenset(speaking)


def _says(tree: SourceTree, path: str, wanted: Iterable[bytes]) -> bool:
    try:
        return tree.is_file(path) and not tree.derived(path, words).isdisjoint(wanted)
    except EvidenceUnavailable:
        return False
