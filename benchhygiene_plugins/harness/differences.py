"""Which definitions of a file a change may have given another meaning."""

from __future__ import annotations

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change
from benchhygiene.inventory.importers import changed_names, import_words, stem
from benchhygiene.inventory.outline import EVERYTHING


@attrs.frozen(eq=False)
class Differences:
    """Tells the definitions that are worth reading: others do the same on both sides."""

    change: Change
    _known: dict[str, frozenset[str] | None] = attrs.field(
        factory=dict[str, "frozenset[str] | None"]
    )

    def names(self, path: str) -> frozenset[str] | None:
        """Return the names at the top of a file that may mean something else, None for all."""
        if path not in self._known:
            self._known[path] = self._names(path)
        return self._known[path]

    def _names(self, path: str) -> frozenset[str] | None:
        sides = (self.change.parent, self.change.candidate)
        if not all(tree.is_file(path) for tree in sides) or self._uses_others(path):
            return None
        found = changed_names(*sides, path)
        return None if EVERYTHING in found else found

    def _uses_others(self, path: str) -> bool:
        """Return whether a file imports another one that differs."""
        others = [one for one in self.change.differing() if one.endswith(".py") and one != path]
        names = {stem(one) for one in others}
        if not names:
            return False
        if not all(name.isascii() for name in names):
            return True
        try:
            known = self.change.candidate.derived(path, import_words)
        except EvidenceUnavailable:
            return True
        return b"*" in known or any(name.encode() in known for name in names)
