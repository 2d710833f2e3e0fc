"""Which files' properties a change can have touched."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.importers import Importers, importing
from benchhygiene.inventory.index import words
from benchhygiene.inventory.touched import changed_exports, dependents
from benchhygiene_plugins.property_budgets.addopts import options

_HYPOTHESIS = b"hypothesis"
_PROFILES = (b"load_profile", b"register_profile")


@attrs.frozen(eq=False, slots=False)
class Reach:
    """Finds the test files whose properties a change may have touched, and the conftests."""

    change: Change
    rules: CollectionRules

    def tests(self) -> tuple[str, ...]:
        """Return, sorted, the test files whose properties are compared."""
        differing = self._differing()
        if not differing and not self.has_other_options():
            return ()
        used = self._dependents
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
        return tuple(sorted({*differing, *self._dependents}))

    def speaking_modules(self) -> Iterator[str]:
        """Yield the differing files of the candidate that are no tests and speak of hypothesis."""
        wanted = (_HYPOTHESIS, *_PROFILES)
        for path in self._differing():
            if self.change.candidate.is_file(path) and not self.rules.is_test_file(path):
                sides = (self.change.parent, self.change.candidate)
                if any(_says(tree, path, wanted) for tree in sides):
                    yield path

    def has_other_options(self) -> bool:
        """Return whether the config file gives hypothesis other options than it did."""
        old, new = (
            {name: one.value for name, one in options(tree)}
            for tree in (self.change.parent, self.change.candidate)
        )
        return old != new

    def _differing(self) -> list[str]:
        return [path for path in self.change.differing() if path.endswith(".py")]

    @functools.cached_property
    def _dependents(self) -> frozenset[str]:
        """Return the files that use what differs and is no test."""
        paths = [one for one in self._differing() if changed_exports(self.change, one)]
        return frozenset(dependents(self.change, paths)) if paths else frozenset()

    def _may_mean(self, path: str) -> bool:
        """Return whether a conftest may speak of profiles, itself or through what it imports."""
        sides = (self.change.parent, self.change.candidate)
        asked = (path, *self._differing())
        return any(_says(tree, one, _PROFILES) for tree in sides for one in asked)

    def _below(self, folder: str) -> Iterator[str]:
        prefix = f"{folder}/" if folder else ""
        for path in self.change.candidate.files(".py"):
            if path.startswith(prefix) and self.rules.is_test_file(path):
                yield path

    def _speaks(self, path: str) -> bool:
        """Return whether a test file may hold properties: it, or what it imports, names them."""
        return any(
            tree.surveyed(Importers.of).leads_to(tree, path, speaks)
            for tree in (self.change.parent, self.change.candidate)
        )


def speaking(tree: SourceTree) -> frozenset[str]:
    """Return the files that speak of hypothesis, or import what does; made for ``surveyed``."""
    texts = tree.derived_all(tree.files(".py"), speaks)
    own = [path for path, is_own in texts if is_own]
    return importing(tree, own) | frozenset(own)


def speaks(data: bytes) -> bool:
    """Return whether a file speaks of hypothesis; made for ``tree.derived``."""
    return _HYPOTHESIS in data and _HYPOTHESIS in words(data)


def _says(tree: SourceTree, path: str, wanted: Iterable[bytes]) -> bool:
    try:
        return tree.is_file(path) and not tree.derived(path, words).isdisjoint(wanted)
    except EvidenceUnavailable:
        return False
